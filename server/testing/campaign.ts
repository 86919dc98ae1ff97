import { defineCampaign } from '#contract/campaign-file.ts'

/** A copy of the default campaign.config.ts with the specification's values: communities edit that file. */

const name = 'Pocket Future'
const symbol = 'PF'
const supply = '1,000,000,000'
const xProfile = 'https://x.com/PocketFuturePF'
const telegramGroup = 'https://t.me/PocketFuturePF'

export default defineCampaign({
  id: 'first-airdrop',
  name: `${name} Airdrop`,
  token: {
    name,
    symbol,
    supply,
    decimals: 18,
    // The last 20 bytes of keccak256("Pocket Future placeholder"): no one holds a key or a contract there.
    contract: '0xaA2B34FEc4e264aB91D2FEC61Cce1FB85AAcFb9a',
    placeholder: true,
    description: `${name} is a future-backed meme token on PulseChain. There is nothing behind it but the people who hold it and the future they want.`,
    socials: { twitter: xProfile, telegram: telegramGroup, website: 'https://pocketfuture.example' },
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
        title: `Follow ${name} on X`,
        detail: 'News, block by block.',
        url: xProfile,
      },
      {
        id: 'follow-founder',
        title: 'Follow the founder on X',
        detail: 'The person behind it.',
        url: 'https://x.com/PipPocketFuture',
      },
      {
        id: 'share-post',
        title: 'Like, retweet and comment on the launch post',
        detail: 'Include the hashtags in your comment. Keep the link to your own post: it is your proof.',
        url: `${xProfile}/status/2006000000000000001`,
        hashtags: ['#PocketFuture', '#PulseChain'],
      },
      {
        id: 'join-group',
        title: 'Join the Telegram group',
        detail: 'Ask your questions there.',
        url: telegramGroup,
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
    tagline: 'One token, one dollar. That is the mission.',
    hero: `A future-backed meme token on PulseChain. No taxes, no owner, no way to pull the liquidity. Small enough for a pocket.`,
    mission: `The mission is one sentence long: one ${symbol}, one dollar.`,
    wish: `The community hopes for a future value of 0.1 to 1 dollar for each ${symbol}.`,
    risk: 'A meme token can lose all of its value. Nothing here is financial advice. Figures for a future value are the community’s wish, not a forecast.',
    about: `${name} is a meme token that says plainly what it is. It is future-backed: there is nothing behind it but the people who hold it and what they build. Nobody bought early, nobody can change the rules, and the holders decide together what comes next.`,
    features: [
      {
        title: 'Stealth Launch',
        drawing: 'stealth',
        text: 'It started without notice: no presale, no pre-mine, no list of early friends. Everyone got the same first price.',
      },
      {
        title: 'Zero Taxes',
        claim: 'tax',
        drawing: 'taxes',
        text: 'There is no token tax on buying, selling or sending, so you need no extra slippage. You pay the network fee and nothing else.',
      },
      {
        title: 'Burned Liquidity',
        claim: 'liquidity',
        drawing: 'liquidity',
        text: 'The liquidity tokens were sent to a burn address. No one can withdraw the pool.',
      },
      {
        title: 'Community Driven',
        drawing: 'community',
        text: 'Community governance: what gets built, who is invited and where the road leads are decided by a vote of the holders.',
      },
      {
        title: 'Anti-Bot Protection',
        drawing: 'anti-bot',
        text: 'The launch kept sniper bots out, so people bought from people.',
      },
      {
        title: 'Sustainable Rewards',
        drawing: 'rewards',
        text: `The airdrop pays in ${symbol} plus PLS. Slots are limited, and every proof is verified by hand before anything is paid.`,
      },
    ],
    tokenomics: `There are ${supply} ${symbol}. That number is fixed: no function can create more.`,
    facts: [
      {
        title: 'Burned liquidity',
        claim: 'liquidity',
        text: 'The pool’s liquidity tokens are burned. No one can withdraw the liquidity, not even the founder.',
      },
      {
        title: 'Renounced contract',
        claim: 'ownership',
        text: 'The owner has given up the contract. No one can mint, pause, block or tax.',
      },
      {
        title: 'Community driven',
        text: 'No presale, no pre-mine, no team share. Everyone bought on the open market, and the community governs.',
      },
      {
        title: 'Native to PulseChain',
        claim: 'chain',
        text: 'Born on chain 369, traded against PLS. Not a bridged copy of something elsewhere.',
      },
      {
        title: 'Transparent, zero taxes',
        claim: 'tax',
        text: 'What you send is what arrives. Every transfer is on the chain for anyone to read.',
      },
    ],
    howToBuy: `Four steps from nothing to ${symbol}. Taxes are zero, so no slippage is needed: leave that setting as it is.`,
    roadmap:
      'Five phases. A stamp says where each one stands today, and nothing is stamped Completed before it is.',
    airdrop: `Social tasks, one proof, and a reward in ${symbol} plus PLS.`,
    airdropRules: [
      'Slots are limited: first come, first served.',
      'Every task is verified before points are credited.',
      'Every proof is verified by hand before the airdrop is processed.',
      `Rewards are paid in ${symbol} plus PLS.`,
    ],
  },
  smallPrint: {
    operator: `The people behind ${name}`,
    contact: 'hello@pocketfuture.example',
    updatedOn: '2026-11-01',
    keptUntil: 'until you ask us to delete it, at the latest one year after the airdrop is closed',
    logsKept: 'for 14 days',
    rules: [
      {
        title: 'What points are',
        text: `Points determine your share of the airdrop in ${symbol} and PLS. They are not a currency, cannot be sold or transferred, and have no value of their own.`,
      },
      {
        title: 'What is not allowed',
        text: 'More than one account per person, accounts run by a program, using someone else’s post, or paying others to take part. Claims made that way are rejected, and the account can be closed.',
      },
      {
        title: 'No one asks for your money',
        text: 'Taking part is free. We never ask for a payment, a transaction, a private key or a recovery phrase. Anyone who does is not one of us.',
      },
      {
        title: 'If these rules change',
        text: 'We announce changes in our channels and date them at the foot of this page. A change never takes away points that have already been credited.',
      },
    ],
    privacy: [
      {
        title: 'What our announcements are about',
        text: 'Only this airdrop: its dates, its slots and the payout. We never advertise for anyone else.',
      },
    ],
    terms: [
      {
        title: 'As is',
        text: `This site is offered as is. ${name} is run by volunteers: the site may be unavailable, and its facts may be wrong. Compare the contract address with our channels before you send anything.`,
      },
      {
        title: 'Your own judgment',
        text: 'It is up to you to find out whether you may take part where you live and what tax you owe there. You must be of legal age.',
      },
    ],
  },
  roadmap: [
    {
      phase: 'Meme Launch',
      status: 'completed',
      points: [
        'Stealth launch without presale',
        'Liquidity burned, contract renounced',
        'Site and channels open',
      ],
    },
    {
      phase: 'Community Expansion',
      status: 'in-progress',
      points: ['Airdrop with limited slots', 'Referral rewards', 'First votes of the holders'],
    },
    {
      phase: 'Pulse Takeover',
      status: 'upcoming',
      points: [
        'Listings on every PulseChain exchange',
        'Meme contests',
        'Collaborations with other PulseChain projects',
      ],
    },
    {
      phase: 'Ecosystem Expansion',
      status: 'upcoming',
      points: ['Tools built by holders', 'On-chain governance', 'Payments in small shops'],
    },
    {
      phase: 'The Future',
      status: 'upcoming',
      points: [`One ${symbol}, one dollar: the mission`, 'Whatever the holders decide'],
    },
  ],
})
