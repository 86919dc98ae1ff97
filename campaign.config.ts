/* oxlint-disable max-lines -- each text in several languages */
import { defineCampaign } from '#contract/campaign-file.ts'

/**
 * Everything a community edits. The default is a made-up token with a placeholder contract, so that no one
 * buys anything by mistake. Change `name` and `symbol` here and every page, email and title follows. A text may be a
 * string, or be given for each language; `en` stands in for those that are missing.
 */
const name = 'Pocket Future'
const symbol = 'PF'
const supply = '1,000,000,000'
const x = 'https://x.com/PocketFuturePF'
const telegram = 'https://t.me/PocketFuturePF'

export default defineCampaign({
  id: 'first-airdrop',
  name: {
    en: `${name} Airdrop`,
    es: `Airdrop de ${name}`,
    'pt-BR': `Airdrop ${name}`,
    ar: `إيردروب ${name}`,
  },
  token: {
    name,
    symbol,
    supply,
    decimals: 18,
    // The last 20 bytes of keccak256("Pocket Future placeholder"): no one holds a key or a contract there.
    contract: '0xaA2B34FEc4e264aB91D2FEC61Cce1FB85AAcFb9a',
    placeholder: true,
    description: {
      en: `${name} is a future-backed meme token on PulseChain. There is nothing behind it but the people who hold it and the future they want.`,
      es: `${name} es un token meme de PulseChain respaldado por el futuro. Detrás no hay nada más que las personas que lo tienen y el futuro que quieren.`,
      'pt-BR': `${name} é um token meme da PulseChain lastreado no futuro. Não há nada por trás dele além das pessoas que o têm e do futuro que elas querem.`,
      ar: `${name} عملة ميم مدعومة بالمستقبل على PulseChain. لا يقف وراءها سوى من يملكونها والمستقبل الذي يريدونه.`,
    },
    socials: { twitter: x, telegram, website: 'https://pocketfuture.example' },
  },
  chain: {
    id: 369,
    name: 'PulseChain',
    slug: 'pulsechain',
    currency: { name: 'Pulse', symbol: 'PLS', decimals: 18 },
    rpcUrl: 'https://rpc.pulsechain.com',
    explorerUrl: 'https://scan.pulsechain.com',
  },
  links: {
    swap: 'https://app.pulsex.com/swap?inputCurrency=PLS&outputCurrency={contract}&chain=pulsechain',
    chart: 'https://dexscreener.com/pulsechain/{contract}',
  },
  airdrop: {
    tasks: [
      {
        id: 'follow-project',
        title: {
          en: `Follow ${name} on X`,
          es: `Sigue a ${name} en X`,
          'pt-BR': `Siga ${name} no X`,
          ar: `تابع ${name} على X`,
        },
        detail: {
          en: 'News, block by block.',
          es: 'Noticias, bloque a bloque.',
          'pt-BR': 'Novidades, bloco a bloco.',
          ar: 'الأخبار، كتلةً بعد كتلة.',
        },
        url: x,
      },
      {
        id: 'follow-founder',
        title: {
          en: 'Follow the founder on X',
          es: 'Sigue al fundador en X',
          'pt-BR': 'Siga o fundador no X',
          ar: 'تابع المؤسس على X',
        },
        detail: {
          en: 'The person behind it.',
          es: 'La persona que está detrás.',
          'pt-BR': 'A pessoa por trás do projeto.',
          ar: 'الشخص الذي يقف وراء المشروع.',
        },
        url: 'https://x.com/PipPocketFuture',
      },
      {
        id: 'share-post',
        title: {
          en: 'Like, retweet and comment on the launch post',
          es: 'Dale me gusta a la publicación del lanzamiento, repostéala y coméntala',
          'pt-BR': 'Curta, reposte e comente o post de lançamento',
          ar: 'أعجب بمنشور الإطلاق وأعد نشره وعلّق عليه',
        },
        detail: {
          en: 'Include the hashtags in your comment. Keep the link to your own post: it is your proof.',
          es: 'Incluye los hashtags en tu comentario. Guarda el enlace a tu publicación: es tu prueba.',
          'pt-BR': 'Inclua as hashtags no seu comentário. Guarde o link do seu post: ele é sua comprovação.',
          ar: 'أضف الوسوم إلى تعليقك، واحتفظ برابط منشورك لأنه إثباتك.',
        },
        url: `${x}/status/2006000000000000001`,
        hashtags: ['#PocketFuture', '#PulseChain'],
      },
      {
        id: 'join-group',
        title: {
          en: 'Join the Telegram group',
          es: 'Únete al grupo de Telegram',
          'pt-BR': 'Entre no grupo do Telegram',
          ar: 'انضم إلى مجموعة Telegram',
        },
        detail: {
          en: 'Ask your questions there.',
          es: 'Haz allí tus preguntas.',
          'pt-BR': 'Tire suas dúvidas por lá.',
          ar: 'اطرح أسئلتك هناك.',
        },
        url: telegram,
      },
    ],
    pointsPerTask: 5000,
    slots: 10_000,
    opensAt: '2026-01-01T00:00:00Z',
    closesAt: null,
    referralReward: 1000,
    referralsPaid: 50,
  },
  payout: {
    perPoint: { pf: '1', pls: '0.5', referral: '1' },
    minimum: { pf: '0', pls: '0' },
    duplicateWallets: 'merge',
  },
  texts: {
    tagline: {
      en: 'One token, one dollar. That is the mission.',
      es: 'Un token, un dólar. Esa es la misión.',
      'pt-BR': 'Um token, um dólar. Essa é a missão.',
      ar: 'عملة واحدة، دولار واحد. هذه هي المهمة.',
    },
    hero: {
      en: `A future-backed meme token on PulseChain. No taxes, no owner, no way to pull the liquidity. Small enough for a pocket.`,
      es: `Un token meme de PulseChain respaldado por el futuro. Sin impuestos, sin dueño y sin forma de retirar la liquidez. Cabe en un bolsillo.`,
      'pt-BR':
        'Um token meme da PulseChain lastreado no futuro. Sem taxas, sem dono e sem como retirar a liquidez. Cabe no bolso.',
      ar: `عملة ميم مدعومة بالمستقبل على PulseChain. بلا ضرائب ولا مالك ولا سبيل لسحب السيولة. صغيرة يتسع لها الجيب.`,
    },
    mission: {
      en: `The mission is one sentence long: one ${symbol}, one dollar.`,
      es: `La misión cabe en una frase: un ${symbol}, un dólar.`,
      'pt-BR': `A missão cabe em uma frase: um ${symbol}, um dólar.`,
      ar: `المهمة في جملة واحدة: ${symbol} واحد بدولار واحد.`,
    },
    wish: {
      en: `The community hopes for a future value of 0.1 to 1 dollar for each ${symbol}.`,
      es: `La comunidad espera que cada ${symbol} valga en el futuro entre 0.1 y 1 dólar.`,
      'pt-BR': `A comunidade espera que cada ${symbol} valha no futuro entre 0,1 e 1 dólar.`,
      ar: `يأمل المجتمع أن تبلغ قيمة كل ${symbol} في المستقبل ما بين 0.1 و1 دولار.`,
    },
    risk: {
      en: 'A meme token can lose all of its value. Nothing here is financial advice. Figures for a future value are the community’s wish, not a forecast.',
      es: 'Un token meme puede perder todo su valor. Nada de esto es asesoramiento financiero. Las cifras sobre un valor futuro son un deseo de la comunidad, no un pronóstico.',
      'pt-BR':
        'Um token meme pode perder todo o seu valor. Nada aqui é aconselhamento financeiro. Os números sobre um valor futuro são um desejo da comunidade, não uma previsão.',
      ar: 'قد تفقد عملة الميم كامل قيمتها. لا شيء هنا يُعدّ نصيحة مالية. والأرقام عن قيمة مستقبلية هي أمنية المجتمع وليست توقعًا.',
    },
    about: {
      en: `${name} is a meme token that says plainly what it is. It is future-backed: there is nothing behind it but the people who hold it and what they build. Nobody bought early, nobody can change the rules, and the holders decide together what comes next.`,
      es: `${name} es un token meme que dice claramente lo que es. Lo respalda el futuro: detrás no hay nada más que las personas que lo tienen y lo que construyen. Nadie compró antes que los demás, nadie puede cambiar las reglas, y quienes lo tienen deciden juntos qué viene después.`,
      'pt-BR': `${name} é um token meme que diz com clareza o que é. Ele é lastreado no futuro: não há nada por trás dele além das pessoas que o têm e do que elas constroem. Ninguém comprou antes dos outros, ninguém pode mudar as regras, e quem tem o token decide em conjunto o que vem depois.`,
      ar: `${name} عملة ميم تقول بوضوح ما هي. إنها مدعومة بالمستقبل: لا يقف وراءها سوى من يملكونها وما يبنونه. لم يشترِ أحد قبل غيره، ولا يستطيع أحد تغيير القواعد، والمالكون يقررون معًا ما يأتي لاحقًا.`,
    },
    features: [
      {
        title: {
          en: 'Stealth Launch',
          es: 'Lanzamiento sigiloso',
          'pt-BR': 'Lançamento stealth',
          ar: 'إطلاق صامت',
        },
        drawing: 'stealth',
        text: {
          en: 'It started without notice: no presale, no pre-mine, no list of early friends. Everyone got the same first price.',
          es: 'Empezó sin aviso: sin preventa, sin preminado y sin lista de amigos. Todos tuvieron el mismo primer precio.',
          'pt-BR':
            'Começou sem aviso: sem pré-venda, sem pré-mineração e sem lista de amigos. Todos tiveram o mesmo preço inicial.',
          ar: 'انطلقت دون إعلان: بلا بيع مسبق ولا تعدين مسبق ولا قائمة أصدقاء. حصل الجميع على السعر الأول نفسه.',
        },
      },
      {
        title: { en: 'Zero Taxes', es: 'Cero impuestos', 'pt-BR': 'Taxa zero', ar: 'بلا ضرائب' },
        claim: 'tax',
        drawing: 'taxes',
        text: {
          en: 'There is no token tax on buying, selling or sending, so you need no extra slippage. You pay the network fee and nothing else.',
          es: 'El token no cobra impuestos al comprar, vender ni enviar, así que no necesitas más slippage. Solo pagas la comisión de la red.',
          'pt-BR':
            'O token não cobra taxa na compra, na venda nem no envio, então você não precisa de mais slippage. Você paga só a taxa de rede.',
          ar: 'لا ضريبة على الشراء أو البيع أو الإرسال، فلا حاجة إلى انزلاق سعري إضافي. تدفع رسوم الشبكة فقط.',
        },
      },
      {
        title: {
          en: 'Burned Liquidity',
          es: 'Liquidez quemada',
          'pt-BR': 'Liquidez queimada',
          ar: 'سيولة محروقة',
        },
        claim: 'liquidity',
        drawing: 'liquidity',
        text: {
          en: 'The liquidity tokens were sent to a burn address. No one can withdraw the pool.',
          es: 'Los tokens de liquidez se enviaron a una dirección de quema. Nadie puede retirar el pool.',
          'pt-BR':
            'Os tokens de liquidez foram enviados a um endereço de queima. Ninguém pode retirar o pool.',
          ar: 'أُرسلت توكنات السيولة إلى عنوان حرق، فلا يستطيع أحد سحب المجمّع.',
        },
      },
      {
        title: {
          en: 'Community Driven',
          es: 'Impulsado por la comunidad',
          'pt-BR': 'Movido pela comunidade',
          ar: 'يقودها المجتمع',
        },
        drawing: 'community',
        text: {
          en: 'Community governance: what gets built, who is invited and where the road leads are decided by a vote of the holders.',
          es: 'Gobierno de la comunidad: qué se construye, a quién se invita y hacia dónde se va lo deciden con su voto quienes tienen el token.',
          'pt-BR':
            'Governança da comunidade: o que se constrói, quem é convidado e para onde vamos são decididos pelo voto de quem tem o token.',
          ar: 'حوكمة مجتمعية: ما يُبنى ومن يُدعى وإلى أين نمضي، كله يقرره تصويت المالكين.',
        },
      },
      {
        title: {
          en: 'Anti-Bot Protection',
          es: 'Protección contra bots',
          'pt-BR': 'Proteção contra bots',
          ar: 'حماية من الروبوتات',
        },
        drawing: 'anti-bot',
        text: {
          en: 'The launch kept sniper bots out, so people bought from people.',
          es: 'El lanzamiento dejó fuera a los bots francotiradores, así que la gente le compró a la gente.',
          'pt-BR': 'O lançamento deixou os bots snipers de fora, então gente comprou de gente.',
          ar: 'منع الإطلاق روبوتات القنص، فاشترى الناس من الناس.',
        },
      },
      {
        title: {
          en: 'Sustainable Rewards',
          es: 'Recompensas sostenibles',
          'pt-BR': 'Recompensas sustentáveis',
          ar: 'مكافآت مستدامة',
        },
        drawing: 'rewards',
        text: {
          en: `The airdrop pays in ${symbol} plus PLS. Slots are limited, and every proof is verified by hand before anything is paid.`,
          es: `El airdrop paga en ${symbol} y PLS. Los cupos son limitados, y cada prueba se verifica a mano antes de pagar nada.`,
          'pt-BR': `O airdrop paga em ${symbol} e PLS. As vagas são limitadas, e cada comprovação é verificada por uma pessoa antes de qualquer pagamento.`,
          ar: `يدفع الإيردروب بعملتي ${symbol} وPLS. الأماكن محدودة، ويُتحقق من كل إثبات يدويًا قبل أي دفع.`,
        },
      },
    ],
    tokenomics: {
      en: `There are ${supply} ${symbol}. That number is fixed: no function can create more.`,
      es: `Hay ${supply} ${symbol}. Ese número es fijo: ninguna función puede crear más.`,
      'pt-BR': `Existem ${supply} ${symbol}. Esse número é fixo: nenhuma função pode criar mais.`,
      ar: `يوجد ${supply} ${symbol}. هذا العدد ثابت: لا توجد دالة تنشئ المزيد.`,
    },
    facts: [
      {
        title: {
          en: 'Burned liquidity',
          es: 'Liquidez quemada',
          'pt-BR': 'Liquidez queimada',
          ar: 'سيولة محروقة',
        },
        claim: 'liquidity',
        text: {
          en: 'The pool’s liquidity tokens are burned. It cannot be withdrawn, not even by the founder.',
          es: 'Los tokens de liquidez del pool están quemados. Nadie puede retirarlo, ni siquiera el fundador.',
          'pt-BR':
            'Os tokens de liquidez do pool estão queimados. Ninguém pode retirá-lo, nem mesmo o fundador.',
          ar: 'توكنات السيولة محروقة، فلا يمكن لأحد سحب المجمّع، ولا حتى المؤسس.',
        },
      },
      {
        title: {
          en: 'Renounced contract',
          es: 'Contrato renunciado',
          'pt-BR': 'Contrato renunciado',
          ar: 'عقد متنازل عنه',
        },
        claim: 'ownership',
        text: {
          en: 'The owner has given up the contract. No one can mint, pause, block or tax.',
          es: 'El dueño renunció al contrato. Nadie puede acuñar, pausar, bloquear ni cobrar impuestos.',
          'pt-BR':
            'O dono renunciou ao contrato. Ninguém pode criar tokens, pausar, bloquear nem cobrar taxas.',
          ar: 'تنازل المالك عن العقد. لا يستطيع أحد السك أو الإيقاف أو الحظر أو فرض ضريبة.',
        },
      },
      {
        title: {
          en: 'Community driven',
          es: 'Impulsado por la comunidad',
          'pt-BR': 'Movido pela comunidade',
          ar: 'يقودها المجتمع',
        },
        text: {
          en: 'No presale, no pre-mine, no team share. Everyone bought on the open market, and the community governs.',
          es: 'Sin preventa, sin preminado y sin parte para el equipo. Todos compraron en el mercado abierto, y la comunidad gobierna.',
          'pt-BR':
            'Sem pré-venda, sem pré-mineração e sem parte para a equipe. Todos compraram no mercado aberto, e a comunidade governa.',
          ar: 'لا بيع مسبق ولا تعدين مسبق ولا حصة للفريق. اشترى الجميع من السوق المفتوحة، والمجتمع هو من يحكم.',
        },
      },
      {
        title: {
          en: 'Native to PulseChain',
          es: 'Nativo de PulseChain',
          'pt-BR': 'Nativo da PulseChain',
          ar: 'أصيلة على PulseChain',
        },
        claim: 'chain',
        text: {
          en: 'Born on chain 369, traded against PLS. Not a bridged copy of something elsewhere.',
          es: 'Nació en la cadena 369 y se negocia contra PLS. No es una copia traída de otra cadena por un puente.',
          'pt-BR':
            'Nasceu na rede 369 e é negociado contra PLS. Não é uma cópia trazida de outra rede por uma bridge.',
          ar: 'وُلدت على السلسلة 369 وتُتداول مقابل PLS. ليست نسخة مجسّرة من شيء آخر.',
        },
      },
      {
        title: {
          en: 'Transparent, zero taxes',
          es: 'Transparente, sin impuestos',
          'pt-BR': 'Transparente, sem taxas',
          ar: 'شفافة وبلا ضرائب',
        },
        claim: 'tax',
        text: {
          en: 'What you send is what arrives. Every transfer is on the chain for anyone to read.',
          es: 'Lo que envías es lo que llega. Cada transferencia está en la cadena, a la vista de cualquiera.',
          'pt-BR': 'O que você envia é o que chega. Cada transferência está na blockchain, à vista de todos.',
          ar: 'ما ترسله هو ما يصل. وكل تحويل على السلسلة يمكن لأي شخص قراءته.',
        },
      },
    ],
    howToBuy: {
      en: `Four steps from nothing to ${symbol}. There are no taxes, so no slippage is needed: leave that setting as it is.`,
      es: `Cuatro pasos, de cero a ${symbol}. No hay impuestos, así que no hace falta slippage: deja ese ajuste como está.`,
      'pt-BR': `Quatro passos, do zero até ${symbol}. Não há taxas do token, então não é preciso slippage: deixe esse ajuste como está.`,
      ar: `أربع خطوات من الصفر إلى ${symbol}. لا ضرائب، فلا حاجة إلى انزلاق سعري: اترك هذا الإعداد كما هو.`,
    },
    roadmap: {
      en: 'Five phases. A stamp says where each one stands today, and nothing is stamped Completed before it is.',
      es: 'Cinco fases. Un sello indica cómo va hoy cada una, y ninguna se sella como completada antes de estarlo.',
      'pt-BR':
        'Cinco fases. Um carimbo mostra como cada uma está hoje, e nenhuma é carimbada como concluída antes da hora.',
      ar: 'خمس مراحل. يبيّن ختمٌ أين وصلت كل منها اليوم، ولا تُختم مرحلة بأنها مكتملة قبل اكتمالها.',
    },
    airdrop: {
      en: `Social tasks, one proof. The reward is ${symbol} plus PLS. Slots are limited: first come, first served.`,
      es: `Tareas en redes, una sola prueba. La recompensa es ${symbol} y PLS. Los cupos son limitados: por orden de llegada.`,
      'pt-BR': `Tarefas nas redes, uma só comprovação. A recompensa é em ${symbol} e PLS. As vagas são limitadas, por ordem de chegada.`,
      ar: `مهام اجتماعية وإثبات واحد. المكافأة ${symbol} وPLS. الأماكن محدودة: الأولوية لمن يسبق.`,
    },
    airdropRules: [
      {
        en: 'Slots are limited: first come, first served.',
        es: 'Los cupos son limitados: por orden de llegada.',
        'pt-BR': 'As vagas são limitadas, por ordem de chegada.',
        ar: 'الأماكن محدودة: الأولوية لمن يسبق.',
      },
      {
        en: 'Every task is verified before points are credited.',
        es: 'Cada tarea se verifica antes de abonar los puntos.',
        'pt-BR': 'Cada tarefa é verificada antes que os pontos sejam creditados.',
        ar: 'يُتحقق من كل مهمة قبل إضافة النقاط.',
      },
      {
        en: 'Every proof is verified by hand before the airdrop is processed.',
        es: 'Cada prueba se verifica a mano antes de procesar el airdrop.',
        'pt-BR': 'Cada comprovação é verificada por uma pessoa antes que o airdrop seja processado.',
        ar: 'يُتحقق من كل إثبات يدويًا قبل تنفيذ الإيردروب.',
      },
      {
        en: `Rewards are paid in ${symbol} plus PLS.`,
        es: `Las recompensas se pagan en ${symbol} y PLS.`,
        'pt-BR': `As recompensas são pagas em ${symbol} e PLS.`,
        ar: `تُدفع المكافآت بعملتي ${symbol} وPLS.`,
      },
    ],
  },
  smallPrint: {
    operator: {
      en: `The people behind ${name}`,
      es: `Las personas detrás de ${name}`,
      'pt-BR': `As pessoas por trás de ${name}`,
      ar: `القائمون على ${name}`,
    },
    contact: 'hello@pocketfuture.example',
    updatedOn: '2026-11-01',
    keptUntil: {
      en: 'until you ask us to delete it, at the latest one year after the airdrop is closed',
      es: 'hasta que nos pidas borrarlo y, como máximo, un año después del cierre del airdrop',
      'pt-BR': 'até você nos pedir para apagar ou, no máximo, até um ano depois do encerramento do airdrop',
      ar: 'حتى تطلب منا حذفها، أو بعد سنة من إغلاق الإيردروب على أبعد تقدير',
    },
    logsKept: { en: 'for 14 days', es: 'durante 14 días', 'pt-BR': 'por 14 dias', ar: 'لمدة 14 يومًا' },
    rules: [
      {
        title: {
          en: 'What points are',
          es: 'Qué son los puntos',
          'pt-BR': 'O que são os pontos',
          ar: 'ما هي النقاط',
        },
        text: {
          en: `Points determine your share of the airdrop in ${symbol} and PLS. They are not a currency, cannot be sold or transferred, and have no value of their own.`,
          es: `Los puntos determinan tu parte del airdrop en ${symbol} y PLS. No son una moneda, no se pueden vender ni transferir y no tienen valor propio.`,
          'pt-BR': `Os pontos determinam sua parte do airdrop em ${symbol} e PLS. Não são uma moeda, não podem ser vendidos nem transferidos e não têm valor próprio.`,
          ar: `تحدد النقاط حصتك من الإيردروب بعملتي ${symbol} وPLS. وهي ليست عملة ولا يمكن بيعها أو نقلها وليست لها قيمة بذاتها.`,
        },
      },
      {
        title: {
          en: 'What is not allowed',
          es: 'Qué no está permitido',
          'pt-BR': 'O que não é permitido',
          ar: 'ما هو غير مسموح',
        },
        text: {
          en: 'More than one account per person, accounts run by a program, using someone else’s post, or paying others to take part. Claims made that way are rejected, and the account can be closed.',
          es: 'Más de una cuenta por persona, cuentas manejadas por un programa, usar la publicación de otra persona o pagar a otros por participar. Esas solicitudes se rechazan, y la cuenta se puede cerrar.',
          'pt-BR':
            'Mais de uma conta por pessoa, contas operadas por um programa, usar o post de outra pessoa ou pagar a outros para participar. Essas solicitações são rejeitadas, e a conta pode ser encerrada.',
          ar: 'أكثر من حساب للشخص الواحد، أو حسابات يديرها برنامج، أو استخدام منشور شخص آخر، أو دفع المال للآخرين كي يشاركوا. تُرفض الطلبات المقدمة بهذه الطرق، وقد يُغلق الحساب.',
        },
      },
      {
        title: {
          en: 'No one asks for your money',
          es: 'Nadie te pide dinero',
          'pt-BR': 'Ninguém pede seu dinheiro',
          ar: 'لا أحد يطلب منك مالًا',
        },
        text: {
          en: 'Taking part is free. We never ask for a payment, a transaction, a private key or a recovery phrase. Anyone who does is not one of us.',
          es: 'Participar es gratis. Nunca pedimos un pago, una transacción, una clave privada ni una frase semilla. Quien lo pida no es de los nuestros.',
          'pt-BR':
            'Participar é grátis. Nunca pedimos um pagamento, uma transação, uma chave privada nem uma frase de recuperação. Quem pede não é um de nós.',
          ar: 'المشاركة مجانية. لا نطلب أبدًا دفعة أو معاملة أو مفتاحًا خاصًا أو عبارة استرداد. ومن يطلب ذلك ليس منا.',
        },
      },
      {
        title: {
          en: 'If these rules change',
          es: 'Si cambian estas reglas',
          'pt-BR': 'Se estas regras mudarem',
          ar: 'إذا تغيرت هذه القواعد',
        },
        text: {
          en: 'We announce changes in our channels and date them at the foot of this page. A change never takes away points that have already been credited.',
          es: 'Anunciamos los cambios en nuestros canales y ponemos la fecha al pie de esta página. Un cambio nunca quita puntos ya abonados.',
          'pt-BR':
            'Anunciamos as mudanças nos nossos canais e colocamos a data no fim desta página. Uma mudança nunca tira pontos já creditados.',
          ar: 'نعلن التغييرات في قنواتنا ونذكر تاريخها أسفل هذه الصفحة. ولا يسلب أي تغيير نقاطًا أُضيفت من قبل.',
        },
      },
    ],
    privacy: [
      {
        title: { en: 'Announcements', es: 'Anuncios', 'pt-BR': 'Comunicados', ar: 'الإعلانات' },
        text: {
          en: 'Only if you ticked the box when you registered, and only about this airdrop. Write to us to stop them.',
          es: 'Solo si marcaste la casilla al registrarte, y solo sobre este airdrop. Escríbenos para dejar de recibirlos.',
          'pt-BR':
            'Só se você marcou a opção ao criar sua conta, e só sobre este airdrop. Escreva para nós para deixar de receber.',
          ar: 'فقط إذا وضعت علامة في المربع عند التسجيل، وحول هذا الإيردروب فقط. راسلنا لإيقافها.',
        },
      },
    ],
    terms: [
      {
        title: { en: 'As is', es: 'Tal como está', 'pt-BR': 'Como está', ar: 'كما هو' },
        text: {
          en: `This site is offered as is. ${name} is run by volunteers: the site may be unavailable, and its facts may be wrong. Compare the contract address with our channels before you send anything.`,
          es: `Este sitio se ofrece tal como está. ${name} lo llevan voluntarios: el sitio puede no estar disponible y sus datos pueden ser erróneos. Compara la dirección del contrato con nuestros canales antes de enviar nada.`,
          'pt-BR': `Este site é oferecido como está. ${name} é mantido por voluntários: o site pode ficar fora do ar, e as informações podem estar erradas. Compare o endereço do contrato com o dos nossos canais antes de enviar qualquer coisa.`,
          ar: `يُقدَّم هذا الموقع كما هو. يدير ${name} متطوعون: قد لا يكون الموقع متاحًا وقد تكون معلوماته خاطئة. قارن عنوان العقد بما في قنواتنا قبل إرسال أي شيء.`,
        },
      },
      {
        title: {
          en: 'Your own judgment',
          es: 'Tu propio criterio',
          'pt-BR': 'Sua própria avaliação',
          ar: 'تقديرك أنت',
        },
        text: {
          en: 'It is up to you to find out whether you may take part where you live and what tax you owe there. You must be of legal age.',
          es: 'Te corresponde averiguar si puedes participar en el lugar donde vives y qué impuestos debes allí. Debes ser mayor de edad.',
          'pt-BR':
            'Cabe a você descobrir se pode participar onde mora e quais impostos deve pagar lá. É preciso ser maior de idade.',
          ar: 'عليك أن تتحقق مما إذا كان يحق لك المشاركة حيث تعيش وما الضريبة المستحقة عليك هناك. ويجب أن تكون قد بلغت السن القانونية.',
        },
      },
    ],
  },
  roadmap: [
    {
      phase: { en: 'Meme Launch', es: 'Lanzamiento meme', 'pt-BR': 'Lançamento do meme', ar: 'إطلاق الميم' },
      status: 'completed',
      points: [
        {
          en: 'Stealth launch without presale',
          es: 'Lanzamiento sigiloso sin preventa',
          'pt-BR': 'Lançamento stealth sem pré-venda',
          ar: 'إطلاق صامت بلا بيع مسبق',
        },
        {
          en: 'Liquidity burned, contract renounced',
          es: 'Liquidez quemada y contrato renunciado',
          'pt-BR': 'Liquidez queimada, contrato renunciado',
          ar: 'حرق السيولة والتنازل عن العقد',
        },
        {
          en: 'Site and channels open',
          es: 'Sitio y canales abiertos',
          'pt-BR': 'Site e canais abertos',
          ar: 'فتح الموقع والقنوات',
        },
      ],
    },
    {
      phase: {
        en: 'Community Expansion',
        es: 'Expansión de la comunidad',
        'pt-BR': 'Expansão da comunidade',
        ar: 'توسّع المجتمع',
      },
      status: 'in-progress',
      points: [
        {
          en: 'Airdrop with limited slots',
          es: 'Airdrop con cupos limitados',
          'pt-BR': 'Airdrop com vagas limitadas',
          ar: 'إيردروب بأماكن محدودة',
        },
        {
          en: 'Referral rewards',
          es: 'Recompensas por referidos',
          'pt-BR': 'Recompensas por indicação',
          ar: 'مكافآت الدعوات',
        },
        {
          en: 'First votes of the holders',
          es: 'Primeras votaciones de quienes tienen el token',
          'pt-BR': 'Primeiras votações de quem tem o token',
          ar: 'أول تصويتات المالكين',
        },
      ],
    },
    {
      phase: {
        en: 'Pulse Takeover',
        es: 'Conquista de Pulse',
        'pt-BR': 'Conquista da Pulse',
        ar: 'الهيمنة على Pulse',
      },
      status: 'upcoming',
      points: [
        {
          en: 'Listings on every PulseChain exchange',
          es: 'En todos los exchanges de PulseChain',
          'pt-BR': 'Em todas as exchanges da PulseChain',
          ar: 'الإدراج في كل منصات PulseChain',
        },
        { en: 'Meme contests', es: 'Concursos de memes', 'pt-BR': 'Concursos de memes', ar: 'مسابقات ميمات' },
        {
          en: 'Collaborations with other PulseChain projects',
          es: 'Colaboraciones con otros proyectos de PulseChain',
          'pt-BR': 'Colaborações com outros projetos da PulseChain',
          ar: 'تعاون مع مشاريع PulseChain الأخرى',
        },
      ],
    },
    {
      phase: {
        en: 'Ecosystem Expansion',
        es: 'Expansión del ecosistema',
        'pt-BR': 'Expansão do ecossistema',
        ar: 'توسّع المنظومة',
      },
      status: 'upcoming',
      points: [
        {
          en: 'Tools built by holders',
          es: 'Herramientas creadas por quienes tienen el token',
          'pt-BR': 'Ferramentas criadas por quem tem o token',
          ar: 'أدوات يبنيها المالكون',
        },
        {
          en: 'On-chain governance',
          es: 'Gobierno en la cadena',
          'pt-BR': 'Governança on-chain',
          ar: 'حوكمة على السلسلة',
        },
        {
          en: 'Payments in small shops',
          es: 'Pagos en pequeños comercios',
          'pt-BR': 'Pagamentos em pequenas lojas',
          ar: 'الدفع في المتاجر الصغيرة',
        },
      ],
    },
    {
      phase: { en: 'The Future', es: 'El futuro', 'pt-BR': 'O futuro', ar: 'المستقبل' },
      status: 'upcoming',
      points: [
        {
          en: `One ${symbol}, one dollar: the mission`,
          es: `Un ${symbol}, un dólar: la misión`,
          'pt-BR': `Um ${symbol}, um dólar: a missão`,
          ar: `${symbol} واحد بدولار واحد: المهمة`,
        },
        {
          en: 'Whatever the holders decide',
          es: 'Lo que decidan quienes tienen el token',
          'pt-BR': 'O que os detentores decidirem',
          ar: 'ما يقرره المالكون',
        },
      ],
    },
  ],
})
