/* oxlint-disable max-lines -- each text in several languages */
import { defineCampaign } from '#contract/campaign-file.ts'

/**
 * Everything a community edits. The default is a made-up token with a placeholder contract, so that no one
 * buys anything by mistake. Change `name` and `symbol` here, and every page, email and title follows. Write a
 * text once for all languages (`title: 'News'`), or once for each language, as below. Where a language is
 * missing, its readers see the English text (`en`).
 */
const name = 'Pocket Future'
const symbol = 'PF'
const supply = '1,000,000,000'
/** Portuguese and Turkish write the supply with dots: 1.000.000.000. */
const supplyWithDots = supply.replaceAll(',', '.')
const xProfile = 'https://x.com/PocketFuturePF'
const telegramGroup = 'https://t.me/PocketFuturePF'

export default defineCampaign({
  id: 'first-airdrop',
  name: {
    en: `${name} Airdrop`,
    es: `Airdrop de ${name}`,
    'pt-BR': `Airdrop ${name}`,
    tr: `${name} Airdrop`,
    'zh-Hans': `${name} 空投`,
    ar: `إيردروب ${name}`,
  },
  token: {
    name,
    symbol,
    supply,
    decimals: 18,
    // Not a real token: nobody has a key for this address, and it has no contract. (It is the last 20 bytes
    // of keccak256("Pocket Future placeholder").)
    contract: '0xaA2B34FEc4e264aB91D2FEC61Cce1FB85AAcFb9a',
    placeholder: true,
    description: {
      en: `${name} is a future-backed meme token on PulseChain. There is nothing behind it but the people who hold it and the future they want.`,
      es: `${name} es un token meme de PulseChain respaldado por el futuro. Detrás no hay nada más que las personas que lo tienen y el futuro que quieren.`,
      'pt-BR': `${name} é um token meme da PulseChain lastreado no futuro. Não há nada por trás dele além das pessoas que o têm e do futuro que elas querem.`,
      tr: `${name}, PulseChain’de geleceğe dayanan bir meme token’dır. Arkasında, onu elinde tutan insanlardan ve istedikleri gelecekten başka bir şey yoktur.`,
      'zh-Hans': `${name} 是 PulseChain 上由未来背书的 meme 代币。它的背后，只有持有它的人，以及他们想要的未来。`,
      ar: `${name} عملة ميم مدعومة بالمستقبل على PulseChain. لا يقف وراءها سوى من يملكونها والمستقبل الذي يريدونه.`,
    },
    socials: { twitter: xProfile, telegram: telegramGroup, website: 'https://pocketfuture.example' },
  },
  chain: {
    id: 369,
    name: 'PulseChain',
    slug: 'pulsechain', // the price service's name for the chain
    currency: { name: 'Pulse', symbol: 'PLS', decimals: 18 },
    // For visitors' wallets. The server asks the node in CHAIN_RPC_URL, which has to be of the same chain.
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
          tr: `X’te ${name} hesabını takip edin`,
          'zh-Hans': `在 X 上关注 ${name}`,
          ar: `تابع ${name} على X`,
        },
        detail: {
          en: 'News, block by block.',
          es: 'Noticias, bloque a bloque.',
          'pt-BR': 'Novidades, bloco a bloco.',
          tr: 'Haberler, blok blok.',
          'zh-Hans': '最新消息，一个区块接一个区块。',
          ar: 'الأخبار، كتلةً بعد كتلة.',
        },
        url: xProfile,
      },
      {
        id: 'follow-founder',
        title: {
          en: 'Follow the founder on X',
          es: 'Sigue al fundador en X',
          'pt-BR': 'Siga o fundador no X',
          tr: 'Kurucuyu X’te takip edin',
          'zh-Hans': '在 X 上关注创始人',
          ar: 'تابع المؤسس على X',
        },
        detail: {
          en: 'The person behind it.',
          es: 'La persona que está detrás.',
          'pt-BR': 'A pessoa por trás do projeto.',
          tr: 'Projenin arkasındaki kişi.',
          'zh-Hans': '项目背后的那个人。',
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
          tr: 'Lansman gönderisini beğenin, yeniden paylaşın ve altına yorum yazın',
          'zh-Hans': '为上线帖子点赞、转发并评论',
          ar: 'سجّل إعجابك بمنشور الإطلاق وأعد نشره وعلّق عليه',
        },
        detail: {
          en: 'Include the hashtags in your comment. Keep the link to your own post: it is your proof.',
          es: 'Incluye los hashtags en tu comentario. Guarda el enlace a tu publicación: es tu prueba.',
          'pt-BR': 'Inclua as hashtags no seu comentário. Guarde o link do seu post: ele é sua comprovação.',
          tr: 'Yorumunuza etiketleri ekleyin. Kendi gönderinizin bağlantısını saklayın: kanıtınız budur.',
          'zh-Hans': '评论中要带上话题标签。请保存你自己帖子的链接：它就是你的证明。',
          ar: 'أضف الوسوم إلى تعليقك، واحتفظ برابط منشورك لأنه إثباتك.',
        },
        url: `${xProfile}/status/2006000000000000001`,
        hashtags: ['#PocketFuture', '#PulseChain'],
      },
      {
        id: 'join-group',
        title: {
          en: 'Join the Telegram group',
          es: 'Únete al grupo de Telegram',
          'pt-BR': 'Entre no grupo do Telegram',
          tr: 'Telegram grubuna katılın',
          'zh-Hans': '加入 Telegram 群组',
          ar: 'انضم إلى مجموعة Telegram',
        },
        detail: {
          en: 'Ask your questions there.',
          es: 'Haz allí tus preguntas.',
          'pt-BR': 'Tire suas dúvidas por lá.',
          tr: 'Sorularınızı orada sorabilirsiniz.',
          'zh-Hans': '有问题可以在那里提问。',
          ar: 'اطرح أسئلتك هناك.',
        },
        url: telegramGroup,
      },
    ],
    pointsPerTask: 5000,
    slots: 10_000,
    opensAt: '2026-01-01T00:00:00Z',
    closesAt: null,
    referralReward: 1000,
    referralsPaid: 50, // rewarded referrals of one participant, at most
  },
  payout: {
    perPoint: { pf: '1', pls: '0.5', referral: '1' },
    minimum: { pf: '0', pls: '0' },
    duplicateWallets: 'merge', // one payment for participants who share a wallet
  },
  texts: {
    tagline: {
      en: 'One token, one dollar. That is the mission.',
      es: 'Un token, un dólar. Esa es la misión.',
      'pt-BR': 'Um token, um dólar. Essa é a missão.',
      tr: 'Bir token, bir dolar. Hedef bu.',
      'zh-Hans': '一枚代币，一美元。这就是使命。',
      ar: 'عملة واحدة، دولار واحد. هذه هي المهمة.',
    },
    hero: {
      en: `A future-backed meme token on PulseChain. No taxes, no owner, no way to pull the liquidity. Small enough for a pocket.`,
      es: `Un token meme de PulseChain respaldado por el futuro. Sin impuestos, sin dueño y sin forma de retirar la liquidez. Cabe en un bolsillo.`,
      'pt-BR':
        'Um token meme da PulseChain lastreado no futuro. Sem taxas, sem dono e sem como retirar a liquidez. Cabe no bolso.',
      tr: 'PulseChain’de geleceğe dayanan bir meme token. Vergisi yok, sahibi yok, likiditesini çekmenin yolu yok. Cebe sığacak kadar küçük.',
      'zh-Hans':
        'PulseChain 上由未来背书的 meme 代币。没有交易税，没有所有者，流动性无法撤走。小到能放进口袋。',
      ar: `عملة ميم مدعومة بالمستقبل على PulseChain. بلا ضرائب ولا مالك ولا سبيل لسحب السيولة. صغيرة يتسع لها الجيب.`,
    },
    mission: {
      en: `The mission is one sentence long: one ${symbol}, one dollar.`,
      es: `La misión cabe en una frase: un ${symbol}, un dólar.`,
      'pt-BR': `A missão cabe em uma frase: um ${symbol}, um dólar.`,
      tr: `Hedef tek bir cümle: bir ${symbol}, bir dolar.`,
      'zh-Hans': `使命只有一句话：一枚 ${symbol}，一美元。`,
      ar: `المهمة في جملة واحدة: ${symbol} واحد بدولار واحد.`,
    },
    wish: {
      en: `The community hopes for a future value of 0.1 to 1 dollar for each ${symbol}.`,
      es: `La comunidad espera que cada ${symbol} valga en el futuro entre 0.1 y 1 dólar.`,
      'pt-BR': `A comunidade espera que cada ${symbol} valha no futuro entre 0,1 e 1 dólar.`,
      tr: `Topluluk, her bir ${symbol} için gelecekte 0,1 ile 1 dolar arasında bir değer umuyor.`,
      'zh-Hans': `社区希望每枚 ${symbol} 未来的价值达到 0.1 至 1 美元。`,
      ar: `يأمل المجتمع أن تبلغ قيمة كل ${symbol} في المستقبل ما بين 0.1 و1 دولار.`,
    },
    risk: {
      en: 'A meme token can lose all of its value. Nothing here is financial advice. Figures for a future value are the community’s wish, not a forecast.',
      es: 'Un token meme puede perder todo su valor. Nada de esto es asesoramiento financiero. Las cifras sobre un valor futuro son un deseo de la comunidad, no un pronóstico.',
      'pt-BR':
        'Um token meme pode perder todo o seu valor. Nada aqui é aconselhamento financeiro. Os números sobre um valor futuro são um desejo da comunidade, não uma previsão.',
      tr: 'Bir meme token tüm değerini kaybedebilir. Buradaki hiçbir şey yatırım tavsiyesi değildir. Gelecekteki değere ilişkin rakamlar topluluğun dileğidir, tahmin değildir.',
      'zh-Hans':
        'Meme 代币可能完全失去价值。这里的任何内容都不构成投资建议。关于未来价值的数字是社区的愿望，不是预测。',
      ar: 'قد تفقد عملة الميم كامل قيمتها. لا شيء هنا يُعدّ نصيحة مالية. والأرقام عن قيمة مستقبلية هي أمنية المجتمع وليست توقعًا.',
    },
    about: {
      en: `${name} is a meme token that says plainly what it is. It is future-backed: there is nothing behind it but the people who hold it and what they build. Nobody bought early, nobody can change the rules, and the holders decide together what comes next.`,
      es: `${name} es un token meme que dice claramente lo que es. Lo respalda el futuro: detrás no hay nada más que las personas que lo tienen y lo que construyen. Nadie compró antes que los demás, nadie puede cambiar las reglas, y quienes lo tienen deciden juntos qué viene después.`,
      'pt-BR': `${name} é um token meme que diz com clareza o que é. Ele é lastreado no futuro: não há nada por trás dele além das pessoas que o têm e do que elas constroem. Ninguém comprou antes dos outros, ninguém pode mudar as regras, e quem tem o token decide em conjunto o que vem depois.`,
      tr: `${name}, ne olduğunu açıkça söyleyen bir meme token’dır. Geleceğe dayanır: arkasında, onu elinde tutan insanlardan ve geliştirdiklerinden başka bir şey yoktur. Kimse herkesten önce almadı, kimse kuralları değiştiremez ve bundan sonrasına token sahipleri birlikte karar verir.`,
      'zh-Hans': `${name} 是一个坦白说明自己是什么的 meme 代币。它由未来背书：背后只有持有它的人，以及他们创造的东西。没有人提前买入，没有人能更改规则，接下来怎么走由持有者共同决定。`,
      ar: `${name} عملة ميم تقول بوضوح ما هي. إنها مدعومة بالمستقبل: لا يقف وراءها سوى من يملكونها وما يبنونه. لم يشترِ أحد قبل غيره، ولا يستطيع أحد تغيير القواعد، والمالكون يقررون معًا ما يأتي لاحقًا.`,
    },
    features: [
      {
        title: {
          en: 'Stealth Launch',
          es: 'Lanzamiento sigiloso',
          'pt-BR': 'Lançamento stealth',
          tr: 'Duyurusuz lansman',
          'zh-Hans': '静默上线',
          ar: 'إطلاق صامت',
        },
        drawing: 'stealth',
        text: {
          en: 'It started without notice: no presale, no pre-mine, no list of early friends. Everyone got the same first price.',
          es: 'Empezó sin aviso: sin preventa, sin preminado y sin lista de amigos. Todos tuvieron el mismo primer precio.',
          'pt-BR':
            'Começou sem aviso: sem pré-venda, sem pré-mineração e sem lista de amigos. Todos tiveram o mesmo preço inicial.',
          tr: 'Habersizce başladı: ön satış yok, ön madencilik yok, dost listesi yok. İlk fiyat herkes için aynıydı.',
          'zh-Hans': '没有预告就上线：没有预售，没有预挖，也没有亲友名单。所有人的起步价都一样。',
          ar: 'انطلقت دون إعلان: بلا بيع مسبق ولا تعدين مسبق ولا قائمة أصدقاء. حصل الجميع على السعر الأول نفسه.',
        },
      },
      {
        title: {
          en: 'Zero Taxes',
          es: 'Cero impuestos',
          'pt-BR': 'Taxa zero',
          tr: 'Sıfır vergi',
          'zh-Hans': '零交易税',
          ar: 'بلا ضرائب',
        },
        claim: 'tax', // stamped Verified as long as the chain proves it
        drawing: 'taxes',
        text: {
          en: 'There is no token tax on buying, selling or sending, so you need no extra slippage. You pay the network fee and nothing else.',
          es: 'El token no cobra impuestos al comprar, vender ni enviar, así que no necesitas más slippage. Solo pagas la comisión de la red.',
          'pt-BR':
            'O token não cobra taxa na compra, na venda nem no envio, então você não precisa de mais slippage. Você paga só a taxa de rede.',
          tr: 'Alırken, satarken ve gönderirken token vergisi yoktur; bu yüzden fazladan kayma payı (slippage) gerekmez. Yalnızca ağ ücretini ödersiniz.',
          'zh-Hans': '买入、卖出和转账都不收交易税，因此无需额外的滑点。你只需支付网络费用。',
          ar: 'لا ضريبة على الشراء أو البيع أو الإرسال، فلا حاجة إلى انزلاق سعري إضافي. تدفع رسوم الشبكة فقط.',
        },
      },
      {
        title: {
          en: 'Burned Liquidity',
          es: 'Liquidez quemada',
          'pt-BR': 'Liquidez queimada',
          tr: 'Yakılmış likidite',
          'zh-Hans': '流动性已销毁',
          ar: 'سيولة محروقة',
        },
        claim: 'liquidity',
        drawing: 'liquidity',
        text: {
          en: 'The liquidity tokens were sent to a burn address. No one can withdraw the pool.',
          es: 'Los tokens de liquidez se enviaron a una dirección de quema. Nadie puede retirar el pool.',
          'pt-BR':
            'Os tokens de liquidez foram enviados a um endereço de queima. Ninguém pode retirar o pool.',
          tr: 'Likidite token’ları bir yakma adresine gönderildi. Havuzu kimse çekemez.',
          'zh-Hans': '流动性代币已转入销毁地址，没有人能撤走资金池。',
          ar: 'أُرسلت توكنات السيولة إلى عنوان حرق، فلا يستطيع أحد سحب المجمّع.',
        },
      },
      {
        title: {
          en: 'Community Driven',
          es: 'Impulsado por la comunidad',
          'pt-BR': 'Movido pela comunidade',
          tr: 'Topluluk yönetiminde',
          'zh-Hans': '社区驱动',
          ar: 'يقودها المجتمع',
        },
        drawing: 'community',
        text: {
          en: 'Community governance: what gets built, who is invited and where the road leads are decided by a vote of the holders.',
          es: 'Gobierno de la comunidad: qué se construye, a quién se invita y hacia dónde se va lo deciden con su voto quienes tienen el token.',
          'pt-BR':
            'Governança da comunidade: o que se constrói, quem é convidado e para onde vamos são decididos pelo voto de quem tem o token.',
          tr: 'Topluluk yönetişimi: neyin geliştirileceğine, kimin davet edileceğine ve yolun nereye gideceğine token sahipleri oylarıyla karar verir.',
          'zh-Hans': '社区治理：做什么、邀请谁、往哪里走，都由持有者投票决定。',
          ar: 'حوكمة مجتمعية: ما يُبنى ومن يُدعى وإلى أين نمضي، كله يقرره تصويت المالكين.',
        },
      },
      {
        title: {
          en: 'Anti-Bot Protection',
          es: 'Protección contra bots',
          'pt-BR': 'Proteção contra bots',
          tr: 'Botlara karşı koruma',
          'zh-Hans': '防机器人保护',
          ar: 'حماية من الروبوتات',
        },
        drawing: 'anti-bot',
        text: {
          en: 'The launch kept sniper bots out, so people bought from people.',
          es: 'El lanzamiento dejó fuera a los bots francotiradores, así que la gente le compró a la gente.',
          'pt-BR': 'O lançamento deixou os bots snipers de fora, então pessoas compraram de pessoas.',
          tr: 'Lansman sniper botları dışarıda bıraktı; böylece insanlar insanlardan aldı.',
          'zh-Hans': '上线时挡住了狙击机器人，买卖双方都是真人。',
          ar: 'منع الإطلاق روبوتات القنص، فاشترى الناس من الناس.',
        },
      },
      {
        title: {
          en: 'Sustainable Rewards',
          es: 'Recompensas sostenibles',
          'pt-BR': 'Recompensas sustentáveis',
          tr: 'Sürdürülebilir ödüller',
          'zh-Hans': '可持续的奖励',
          ar: 'مكافآت مستدامة',
        },
        drawing: 'rewards',
        text: {
          en: `The airdrop pays in ${symbol} plus PLS. Slots are limited, and every proof is verified by hand before anything is paid.`,
          es: `El airdrop paga en ${symbol} y PLS. Los cupos son limitados, y cada prueba se verifica a mano antes de pagar nada.`,
          'pt-BR': `O airdrop paga em ${symbol} e PLS. As vagas são limitadas, e cada comprovação é verificada por uma pessoa antes de qualquer pagamento.`,
          tr: `Airdrop ödülleri ${symbol} ve PLS olarak ödenir. Yerler sınırlıdır ve ödemeden önce her kanıt tek tek, elle doğrulanır.`,
          'zh-Hans': `空投以 ${symbol} 和 PLS 发放。名额有限，发放之前每份证明都由人工核对。`,
          ar: `يدفع الإيردروب بعملتي ${symbol} وPLS. الأماكن محدودة، ويُتحقق من كل إثبات يدويًا قبل أي دفع.`,
        },
      },
    ],
    tokenomics: {
      en: `There are ${supply} ${symbol}. That number is fixed: no function can create more.`,
      es: `Hay ${supply} ${symbol}. Ese número es fijo: ninguna función puede crear más.`,
      'pt-BR': `Existem ${supplyWithDots} ${symbol}. Esse número é fixo: nenhuma função pode criar mais.`,
      tr: `Toplam ${supplyWithDots} ${symbol} vardır. Bu sayı sabittir: hiçbir işlev daha fazlasını üretemez.`,
      'zh-Hans': `共有 ${supply} ${symbol}。这个数量是固定的：没有任何函数可以增发。`,
      ar: `يوجد ${supply} ${symbol}. هذا العدد ثابت: لا توجد دالة تنشئ المزيد.`,
    },
    facts: [
      {
        title: {
          en: 'Burned liquidity',
          es: 'Liquidez quemada',
          'pt-BR': 'Liquidez queimada',
          tr: 'Yakılmış likidite',
          'zh-Hans': '流动性已销毁',
          ar: 'سيولة محروقة',
        },
        claim: 'liquidity',
        text: {
          en: 'The pool’s liquidity tokens are burned. No one can withdraw the liquidity, not even the founder.',
          es: 'Los tokens de liquidez del pool están quemados. Nadie puede retirarlo, ni siquiera el fundador.',
          'pt-BR':
            'Os tokens de liquidez do pool estão queimados. Ninguém pode retirá-lo, nem mesmo o fundador.',
          tr: 'Havuzun likidite token’ları yakıldı. Havuzu kimse çekemez, kurucu bile.',
          'zh-Hans': '资金池的流动性代币已销毁。没有人能撤走资金池，创始人也不例外。',
          ar: 'توكنات السيولة محروقة، فلا يمكن لأحد سحب المجمّع، ولا حتى المؤسس.',
        },
      },
      {
        title: {
          en: 'Renounced contract',
          es: 'Contrato renunciado',
          'pt-BR': 'Contrato renunciado',
          tr: 'Sahipliği bırakılmış sözleşme',
          'zh-Hans': '合约已弃权',
          ar: 'عقد متنازل عنه',
        },
        claim: 'ownership',
        text: {
          en: 'The owner has given up the contract. No one can mint, pause, block or tax.',
          es: 'El dueño renunció al contrato. Nadie puede acuñar, pausar, bloquear ni cobrar impuestos.',
          'pt-BR':
            'O dono renunciou ao contrato. Ninguém pode criar tokens, pausar, bloquear nem cobrar taxas.',
          tr: 'Sahibi, sözleşmenin sahipliğini bıraktı. Kimse yeni token üretemez, transferleri durduramaz, adres engelleyemez veya vergi koyamaz.',
          'zh-Hans': '所有者已放弃合约权限。没有人能增发、暂停、封禁或收税。',
          ar: 'تنازل المالك عن العقد. لا يستطيع أحد السك أو الإيقاف أو الحظر أو فرض ضريبة.',
        },
      },
      {
        title: {
          en: 'Community driven',
          es: 'Impulsado por la comunidad',
          'pt-BR': 'Movido pela comunidade',
          tr: 'Topluluk yönetiminde',
          'zh-Hans': '社区驱动',
          ar: 'يقودها المجتمع',
        },
        text: {
          en: 'No presale, no pre-mine, no team share. Everyone bought on the open market, and the community governs.',
          es: 'Sin preventa, sin preminado y sin parte para el equipo. Todos compraron en el mercado abierto, y la comunidad gobierna.',
          'pt-BR':
            'Sem pré-venda, sem pré-mineração e sem parte para a equipe. Todos compraram no mercado aberto, e a comunidade governa.',
          tr: 'Ön satış yok, ön madencilik yok, ekip payı yok. Herkes açık piyasadan aldı; yönetim toplulukta.',
          'zh-Hans': '没有预售，没有预挖，没有团队份额。所有人都在公开市场买入，由社区治理。',
          ar: 'لا بيع مسبق ولا تعدين مسبق ولا حصة للفريق. اشترى الجميع من السوق المفتوحة، والمجتمع هو من يحكم.',
        },
      },
      {
        title: {
          en: 'Native to PulseChain',
          es: 'Nativo de PulseChain',
          'pt-BR': 'Nativo da PulseChain',
          tr: 'PulseChain’de doğdu',
          'zh-Hans': 'PulseChain 原生',
          ar: 'أصيلة على PulseChain',
        },
        claim: 'chain',
        text: {
          en: 'Born on chain 369, traded against PLS. Not a bridged copy of something elsewhere.',
          es: 'Nació en la cadena 369 y se negocia contra PLS. No es una copia traída de otra cadena por un puente.',
          'pt-BR':
            'Nasceu na rede 369 e é negociado contra PLS. Não é uma cópia trazida de outra rede por uma bridge.',
          tr: 'Kimliği 369 olan zincirde doğdu, PLS karşılığında alınıp satılıyor. Başka bir zincirden köprüyle getirilmiş bir kopya değil.',
          'zh-Hans': '诞生于链 369，与 PLS 组成交易对。不是从别处桥接过来的副本。',
          ar: 'وُلدت على السلسلة 369 وتُتداول مقابل PLS. ليست نسخة مجسّرة من شيء آخر.',
        },
      },
      {
        title: {
          en: 'Transparent, zero taxes',
          es: 'Transparente, sin impuestos',
          'pt-BR': 'Transparente, sem taxas',
          tr: 'Şeffaf, sıfır vergi',
          'zh-Hans': '透明，零交易税',
          ar: 'شفافة وبلا ضرائب',
        },
        claim: 'tax',
        text: {
          en: 'What you send is what arrives. Every transfer is on the chain for anyone to read.',
          es: 'Lo que envías es lo que llega. Cada transferencia está en la cadena, a la vista de cualquiera.',
          'pt-BR': 'O que você envia é o que chega. Cada transferência está na blockchain, à vista de todos.',
          tr: 'Ne gönderirseniz o ulaşır. Her transfer zincirdedir; isteyen herkes okuyabilir.',
          'zh-Hans': '转出多少，对方就收到多少。每笔转账都在链上，人人可查。',
          ar: 'ما ترسله هو ما يصل. وكل تحويل على السلسلة يمكن لأي شخص قراءته.',
        },
      },
    ],
    howToBuy: {
      en: `Four steps from nothing to ${symbol}. Taxes are zero, so no slippage is needed: leave that setting as it is.`,
      es: `Cuatro pasos, de cero a ${symbol}. No hay impuestos, así que no hace falta slippage: deja ese ajuste como está.`,
      'pt-BR': `Quatro passos, do zero até ${symbol}. Não há taxas do token, então não é preciso slippage: deixe esse ajuste como está.`,
      tr: `Sıfırdan ${symbol} almaya dört adım. Vergi olmadığı için kayma payı (slippage) gerekmez: o ayarı olduğu gibi bırakın.`,
      'zh-Hans': `从零开始，四步买到 ${symbol}。没有交易税，所以无需设置滑点：保持原样即可。`,
      ar: `أربع خطوات من الصفر إلى ${symbol}. لا ضرائب، فلا حاجة إلى انزلاق سعري: اترك هذا الإعداد كما هو.`,
    },
    roadmap: {
      en: 'Five phases. A stamp says where each one stands today, and nothing is stamped Completed before it is.',
      es: 'Cinco fases. Un sello indica cómo va hoy cada una, y ninguna se sella como completada antes de estarlo.',
      'pt-BR':
        'Cinco fases. Um carimbo mostra como cada uma está hoje, e nenhuma é carimbada como concluída antes da hora.',
      tr: 'Beş aşama. Her birinin bugün nerede olduğunu bir damga gösterir; hiçbir aşama bitmeden “Tamamlandı” damgası almaz.',
      'zh-Hans': '五个阶段。印章标明每个阶段目前的状态，没有完成的阶段绝不会盖上“已完成”。',
      ar: 'خمس مراحل. يبيّن ختمٌ أين وصلت كل منها اليوم، ولا تُختم مرحلة بأنها مكتملة قبل اكتمالها.',
    },
    airdrop: {
      en: `Social tasks, one proof, and a reward in ${symbol} plus PLS.`,
      es: `Tareas en redes, una sola prueba y una recompensa en ${symbol} y PLS.`,
      'pt-BR': `Tarefas nas redes, uma só comprovação e uma recompensa em ${symbol} e PLS.`,
      tr: `Sosyal medya görevleri, tek bir kanıt ve ${symbol} ile PLS olarak verilen bir ödül.`,
      'zh-Hans': `社交任务，一份证明，奖励为 ${symbol} 和 PLS。`,
      ar: `مهام اجتماعية وإثبات واحد، ومكافأة بعملتي ${symbol} وPLS.`,
    },
    airdropRules: [
      {
        en: 'Slots are limited: first come, first served.',
        es: 'Los cupos son limitados: por orden de llegada.',
        'pt-BR': 'As vagas são limitadas, por ordem de chegada.',
        tr: 'Yerler sınırlıdır ve başvuru sırasına göre verilir.',
        'zh-Hans': '名额有限，先到先得。',
        ar: 'الأماكن محدودة: الأولوية لمن يسبق.',
      },
      {
        en: 'Every task is verified before points are credited.',
        es: 'Cada tarea se verifica antes de abonar los puntos.',
        'pt-BR': 'Cada tarefa é verificada antes que os pontos sejam creditados.',
        tr: 'Puanlar eklenmeden önce her görev doğrulanır.',
        'zh-Hans': '每个任务核实之后，积分才会到账。',
        ar: 'يُتحقق من كل مهمة قبل إضافة النقاط.',
      },
      {
        en: 'Every proof is verified by hand before the airdrop is processed.',
        es: 'Cada prueba se verifica a mano antes de procesar el airdrop.',
        'pt-BR': 'Cada comprovação é verificada por uma pessoa antes que o airdrop seja processado.',
        tr: 'Airdrop dağıtılmadan önce her kanıt tek tek, elle doğrulanır.',
        'zh-Hans': '空投发放之前，每份证明都由人工核对。',
        ar: 'يُتحقق من كل إثبات يدويًا قبل تنفيذ الإيردروب.',
      },
      {
        en: `Rewards are paid in ${symbol} plus PLS.`,
        es: `Las recompensas se pagan en ${symbol} y PLS.`,
        'pt-BR': `As recompensas são pagas em ${symbol} e PLS.`,
        tr: `Ödüller ${symbol} ve PLS olarak ödenir.`,
        'zh-Hans': `奖励以 ${symbol} 和 PLS 发放。`,
        ar: `تُدفع المكافآت بعملتي ${symbol} وPLS.`,
      },
    ],
  },
  smallPrint: {
    operator: {
      en: `The people behind ${name}`,
      es: `Las personas detrás de ${name}`,
      'pt-BR': `As pessoas por trás de ${name}`,
      tr: `${name} ekibi`,
      'zh-Hans': `${name} 团队`,
      ar: `القائمون على ${name}`,
    },
    contact: 'hello@pocketfuture.example',
    updatedOn: '2026-11-01',
    keptUntil: {
      en: 'until you ask us to delete it, at the latest one year after the airdrop is closed',
      es: 'hasta que nos pidas borrarlo y, como máximo, un año después del cierre del airdrop',
      'pt-BR': 'até você nos pedir para apagar ou, no máximo, até um ano depois do encerramento do airdrop',
      tr: 'siz silmemizi isteyene kadar, en geç airdrop kapandıktan bir yıl sonrasına kadar',
      'zh-Hans': '直至你要求我们删除，最迟至空投结束一年后',
      ar: 'حتى تطلب منا حذفها، أو بعد سنة من إغلاق الإيردروب على أبعد تقدير',
    },
    logsKept: {
      en: 'for 14 days',
      es: 'durante 14 días',
      'pt-BR': 'por 14 dias',
      tr: '14 gün',
      'zh-Hans': '14 天',
      ar: 'لمدة 14 يومًا',
    },
    rules: [
      {
        title: {
          en: 'What points are',
          es: 'Qué son los puntos',
          'pt-BR': 'O que são os pontos',
          tr: 'Puanlar nedir?',
          'zh-Hans': '积分是什么',
          ar: 'ما هي النقاط',
        },
        text: {
          en: `Points determine your share of the airdrop in ${symbol} and PLS. They are not a currency, cannot be sold or transferred, and have no value of their own.`,
          es: `Los puntos determinan tu parte del airdrop en ${symbol} y PLS. No son una moneda, no se pueden vender ni transferir y no tienen valor propio.`,
          'pt-BR': `Os pontos determinam sua parte do airdrop em ${symbol} e PLS. Não são uma moeda, não podem ser vendidos nem transferidos e não têm valor próprio.`,
          tr: `Puanlar, airdrop’tan alacağınız ${symbol} ve PLS payını belirler. Para birimi değildir, satılamaz, devredilemez ve kendi başına bir değeri yoktur.`,
          'zh-Hans': `积分决定你在空投中可得的 ${symbol} 和 PLS 份额。积分不是货币，不能出售或转让，本身没有价值。`,
          ar: `تحدد النقاط حصتك من الإيردروب بعملتي ${symbol} وPLS. وهي ليست عملة ولا يمكن بيعها أو نقلها وليست لها قيمة بذاتها.`,
        },
      },
      {
        title: {
          en: 'What is not allowed',
          es: 'Qué no está permitido',
          'pt-BR': 'O que não é permitido',
          tr: 'Nelere izin verilmez?',
          'zh-Hans': '不允许的行为',
          ar: 'ما هو غير مسموح',
        },
        text: {
          en: 'More than one account per person, accounts run by a program, using someone else’s post, or paying others to take part. Claims made that way are rejected, and the account can be closed.',
          es: 'Más de una cuenta por persona, cuentas manejadas por un programa, usar la publicación de otra persona o pagar a otros por participar. Esas solicitudes se rechazan, y la cuenta se puede cerrar.',
          'pt-BR':
            'Mais de uma conta por pessoa, contas operadas por um programa, usar o post de outra pessoa ou pagar a outras pessoas para que participem. Essas solicitações são rejeitadas, e a conta pode ser encerrada.',
          tr: 'Kişi başına birden fazla hesap, bir programın yönettiği hesaplar, başkasının gönderisini kullanmak veya katılması için başkasına para ödemek. Bu yollarla yapılan başvurular reddedilir ve hesap kapatılabilir.',
          'zh-Hans':
            '一人使用多个账户，由程序操作账户，使用他人的帖子，或付钱让他人参加。以这些方式提交的申领会被驳回，账户也可能被关闭。',
          ar: 'أكثر من حساب للشخص الواحد، أو حسابات يديرها برنامج، أو استخدام منشور شخص آخر، أو دفع المال للآخرين كي يشاركوا. تُرفض الطلبات المقدمة بهذه الطرق، وقد يُغلق الحساب.',
        },
      },
      {
        title: {
          en: 'No one asks for your money',
          es: 'Nadie te pide dinero',
          'pt-BR': 'Ninguém pede seu dinheiro',
          tr: 'Kimse sizden para istemez',
          'zh-Hans': '没有人会向你要钱',
          ar: 'لا أحد يطلب منك مالًا',
        },
        text: {
          en: 'Taking part is free. We never ask for a payment, a transaction, a private key or a recovery phrase. Anyone who does is not one of us.',
          es: 'Participar es gratis. Nunca pedimos un pago, una transacción, una clave privada ni una frase semilla. Quien lo pida no es de los nuestros.',
          'pt-BR':
            'Participar é grátis. Nunca pedimos um pagamento, uma transação, uma chave privada nem uma frase de recuperação. Quem pedir não faz parte da nossa equipe.',
          tr: 'Katılım ücretsizdir. Sizden asla ödeme, işlem, özel anahtar veya kurtarma ifadesi istemeyiz. İsteyen kişi bizden biri değildir.',
          'zh-Hans':
            '参加完全免费。我们绝不会要求你付款、发起交易，或提供私钥、助记词。凡是这样要求的，都不是我们的人。',
          ar: 'المشاركة مجانية. لا نطلب أبدًا دفعة أو معاملة أو مفتاحًا خاصًا أو عبارة استرداد. ومن يطلب ذلك ليس منا.',
        },
      },
      {
        title: {
          en: 'If these rules change',
          es: 'Si cambian estas reglas',
          'pt-BR': 'Se estas regras mudarem',
          tr: 'Bu kurallar değişirse',
          'zh-Hans': '如果规则有变',
          ar: 'إذا تغيرت هذه القواعد',
        },
        text: {
          en: 'We announce changes in our channels and date them at the foot of this page. A change never takes away points that have already been credited.',
          es: 'Anunciamos los cambios en nuestros canales y ponemos la fecha al pie de esta página. Un cambio nunca quita puntos ya abonados.',
          'pt-BR':
            'Anunciamos as mudanças nos nossos canais e colocamos a data no fim desta página. Uma mudança nunca tira pontos já creditados.',
          tr: 'Değişiklikleri kanallarımızda duyurur, tarihlerini bu sayfanın altında belirtiriz. Hiçbir değişiklik, daha önce eklenmiş puanları geri almaz.',
          'zh-Hans': '变更会在我们的频道公布，并在本页底部注明日期。任何变更都不会收回已经到账的积分。',
          ar: 'نعلن التغييرات في قنواتنا ونذكر تاريخها أسفل هذه الصفحة. ولا يسلب أي تغيير نقاطًا أُضيفت من قبل.',
        },
      },
    ],
    privacy: [
      {
        title: {
          en: 'What our announcements are about',
          es: 'De qué tratan nuestros anuncios',
          'pt-BR': 'Sobre o que são nossos comunicados',
          tr: 'Duyurularımızın konusu',
          'zh-Hans': '公告的内容',
          ar: 'ما تتناوله إعلاناتنا',
        },
        text: {
          en: 'Only this airdrop: its dates, its slots and the payout. We never advertise for anyone else.',
          es: 'Solo de este airdrop: sus fechas, sus cupos y el pago. Nunca hacemos publicidad de nadie más.',
          'pt-BR':
            'Só este airdrop: suas datas, suas vagas e o pagamento. Nunca fazemos propaganda para mais ninguém.',
          tr: 'Yalnızca bu airdrop: tarihleri, yerleri ve ödemesi. Başkalarının reklamını asla yapmayız.',
          'zh-Hans': '只涉及这次空投：时间、名额和发放。我们绝不为他人做广告。',
          ar: 'هذا الإيردروب فقط: مواعيده وأماكنه ودفع مستحقاته. لا نعلن لأي جهة أخرى أبدًا.',
        },
      },
    ],
    terms: [
      {
        title: {
          en: 'As is',
          es: 'Tal como está',
          'pt-BR': 'Como está',
          tr: 'Olduğu gibi',
          'zh-Hans': '按现状提供',
          ar: 'كما هو',
        },
        text: {
          en: `This site is offered as is. ${name} is run by volunteers: the site may be unavailable, and its facts may be wrong. Compare the contract address with our channels before you send anything.`,
          es: `Este sitio se ofrece tal como está. ${name} lo llevan voluntarios: el sitio puede no estar disponible y sus datos pueden ser erróneos. Compara la dirección del contrato con nuestros canales antes de enviar nada.`,
          'pt-BR': `Este site é oferecido como está. ${name} é mantido por voluntários: o site pode ficar fora do ar, e as informações podem estar erradas. Compare o endereço do contrato com o dos nossos canais antes de enviar qualquer coisa.`,
          tr: `Bu site olduğu gibi sunulur. ${name} gönüllüler tarafından yürütülür: site erişilemez olabilir, bilgiler hatalı olabilir. Bir şey göndermeden önce sözleşme adresini kanallarımızdakiyle karşılaştırın.`,
          'zh-Hans': `本站按现状提供。${name} 由志愿者运营：网站可能无法访问，信息也可能有误。转账之前，请先与我们频道中的合约地址核对。`,
          ar: `يُقدَّم هذا الموقع كما هو. يدير ${name} متطوعون: قد لا يكون الموقع متاحًا وقد تكون معلوماته خاطئة. قارن عنوان العقد بما في قنواتنا قبل إرسال أي شيء.`,
        },
      },
      {
        title: {
          en: 'Your own judgment',
          es: 'Tu propio criterio',
          'pt-BR': 'Sua própria avaliação',
          tr: 'Kendi değerlendirmeniz',
          'zh-Hans': '自行判断',
          ar: 'تقديرك أنت',
        },
        text: {
          en: 'It is up to you to find out whether you may take part where you live and what tax you owe there. You must be of legal age.',
          es: 'Te corresponde averiguar si puedes participar en el lugar donde vives y qué impuestos debes allí. Debes ser mayor de edad.',
          'pt-BR':
            'Cabe a você descobrir se pode participar onde mora e quais impostos deve pagar lá. É preciso ser maior de idade.',
          tr: 'Yaşadığınız yerde katılmanıza izin olup olmadığını ve orada hangi vergileri ödemeniz gerektiğini öğrenmek size düşer. Reşit olmanız gerekir.',
          'zh-Hans': '你需要自行了解所在地是否允许参加，以及应当缴纳哪些税款。你必须已达到法定年龄。',
          ar: 'عليك أن تتحقق مما إذا كان يحق لك المشاركة حيث تعيش وما الضريبة المستحقة عليك هناك. ويجب أن تكون قد بلغت السن القانونية.',
        },
      },
    ],
  },
  roadmap: [
    {
      phase: {
        en: 'Meme Launch',
        es: 'Lanzamiento meme',
        'pt-BR': 'Lançamento do meme',
        tr: 'Meme lansmanı',
        'zh-Hans': 'Meme 上线',
        ar: 'إطلاق الميم',
      },
      status: 'completed',
      points: [
        {
          en: 'Stealth launch without presale',
          es: 'Lanzamiento sigiloso sin preventa',
          'pt-BR': 'Lançamento stealth sem pré-venda',
          tr: 'Ön satışsız, duyurusuz lansman',
          'zh-Hans': '静默上线，没有预售',
          ar: 'إطلاق صامت بلا بيع مسبق',
        },
        {
          en: 'Liquidity burned, contract renounced',
          es: 'Liquidez quemada y contrato renunciado',
          'pt-BR': 'Liquidez queimada, contrato renunciado',
          tr: 'Likidite yakıldı, sözleşmenin sahipliği bırakıldı',
          'zh-Hans': '流动性已销毁，合约已弃权',
          ar: 'حرق السيولة والتنازل عن العقد',
        },
        {
          en: 'Site and channels open',
          es: 'Sitio y canales abiertos',
          'pt-BR': 'Site e canais abertos',
          tr: 'Site ve kanallar açıldı',
          'zh-Hans': '网站和频道上线',
          ar: 'فتح الموقع والقنوات',
        },
      ],
    },
    {
      phase: {
        en: 'Community Expansion',
        es: 'Expansión de la comunidad',
        'pt-BR': 'Expansão da comunidade',
        tr: 'Topluluğun büyümesi',
        'zh-Hans': '社区扩展',
        ar: 'توسّع المجتمع',
      },
      status: 'in-progress',
      points: [
        {
          en: 'Airdrop with limited slots',
          es: 'Airdrop con cupos limitados',
          'pt-BR': 'Airdrop com vagas limitadas',
          tr: 'Sınırlı sayıda yeri olan airdrop',
          'zh-Hans': '名额有限的空投',
          ar: 'إيردروب بأماكن محدودة',
        },
        {
          en: 'Referral rewards',
          es: 'Recompensas por referidos',
          'pt-BR': 'Recompensas por indicação',
          tr: 'Davet ödülleri',
          'zh-Hans': '邀请奖励',
          ar: 'مكافآت الدعوات',
        },
        {
          en: 'First votes of the holders',
          es: 'Primeras votaciones de quienes tienen el token',
          'pt-BR': 'Primeiras votações de quem tem o token',
          tr: 'Token sahiplerinin ilk oylamaları',
          'zh-Hans': '持有者首次投票',
          ar: 'أول تصويتات المالكين',
        },
      ],
    },
    {
      phase: {
        en: 'Pulse Takeover',
        es: 'Conquista de Pulse',
        'pt-BR': 'Conquista da Pulse',
        tr: 'Pulse’ın fethi',
        'zh-Hans': '占领 Pulse',
        ar: 'الهيمنة على Pulse',
      },
      status: 'upcoming',
      points: [
        {
          en: 'Listings on every PulseChain exchange',
          es: 'En todos los exchanges de PulseChain',
          'pt-BR': 'Em todas as exchanges da PulseChain',
          tr: 'PulseChain’deki her borsada listelenme',
          'zh-Hans': '登陆 PulseChain 上的所有交易所',
          ar: 'الإدراج في كل منصات PulseChain',
        },
        {
          en: 'Meme contests',
          es: 'Concursos de memes',
          'pt-BR': 'Concursos de memes',
          tr: 'Meme yarışmaları',
          'zh-Hans': 'Meme 创作大赛',
          ar: 'مسابقات ميمات',
        },
        {
          en: 'Collaborations with other PulseChain projects',
          es: 'Colaboraciones con otros proyectos de PulseChain',
          'pt-BR': 'Colaborações com outros projetos da PulseChain',
          tr: 'Diğer PulseChain projeleriyle iş birlikleri',
          'zh-Hans': '与其他 PulseChain 项目合作',
          ar: 'تعاون مع مشاريع PulseChain الأخرى',
        },
      ],
    },
    {
      phase: {
        en: 'Ecosystem Expansion',
        es: 'Expansión del ecosistema',
        'pt-BR': 'Expansão do ecossistema',
        tr: 'Ekosistemin büyümesi',
        'zh-Hans': '生态扩展',
        ar: 'توسّع المنظومة',
      },
      status: 'upcoming',
      points: [
        {
          en: 'Tools built by holders',
          es: 'Herramientas creadas por quienes tienen el token',
          'pt-BR': 'Ferramentas criadas por quem tem o token',
          tr: 'Token sahiplerinin geliştirdiği araçlar',
          'zh-Hans': '由持有者打造的工具',
          ar: 'أدوات يبنيها المالكون',
        },
        {
          en: 'On-chain governance',
          es: 'Gobierno en la cadena',
          'pt-BR': 'Governança on-chain',
          tr: 'Zincir üzerinde yönetişim',
          'zh-Hans': '链上治理',
          ar: 'حوكمة على السلسلة',
        },
        {
          en: 'Payments in small shops',
          es: 'Pagos en pequeños comercios',
          'pt-BR': 'Pagamentos em pequenas lojas',
          tr: 'Küçük dükkânlarda ödeme',
          'zh-Hans': '在小店付款',
          ar: 'الدفع في المتاجر الصغيرة',
        },
      ],
    },
    {
      phase: {
        en: 'The Future',
        es: 'El futuro',
        'pt-BR': 'O futuro',
        tr: 'Gelecek',
        'zh-Hans': '未来',
        ar: 'المستقبل',
      },
      status: 'upcoming',
      points: [
        {
          en: `One ${symbol}, one dollar: the mission`,
          es: `Un ${symbol}, un dólar: la misión`,
          'pt-BR': `Um ${symbol}, um dólar: a missão`,
          tr: `Bir ${symbol}, bir dolar: hedef`,
          'zh-Hans': `使命：一枚 ${symbol}，一美元`,
          ar: `${symbol} واحد بدولار واحد: المهمة`,
        },
        {
          en: 'Whatever the holders decide',
          es: 'Lo que decidan quienes tienen el token',
          'pt-BR': 'O que quem tem o token decidir',
          tr: 'Token sahipleri neye karar verirse',
          'zh-Hans': '由持有者决定的一切',
          ar: 'ما يقرره المالكون',
        },
      ],
    },
  ],
})
