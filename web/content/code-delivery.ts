/** How emails leave at the moment, as the code screens say it. The same for every address. */
export const CODE_DELIVERY = {
  prompt:
    'Emails are going out without delay. If yours doesn’t arrive within a minute, check your spam folder.',
  slow: (minutes: number) =>
    `Emails are currently delayed by about ${minutes === 1 ? 'a minute' : `${minutes} minutes`}. We’ll keep trying to send yours for ten minutes, so you don’t need to request another code.`,
  stopped:
    'Our mail server isn’t responding right now. We’ll keep trying to send your email for ten minutes, so you don’t need to request another code.',
} as const
