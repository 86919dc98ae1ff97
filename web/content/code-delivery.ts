/** How emails leave at the moment, as the code screens say it. The same for every address. */
export const CODE_DELIVERY = {
  prompt: 'Emails are leaving without delay. If yours isn’t there in a minute, look in your spam folder.',
  slow: (minutes: number) =>
    `Emails are leaving about ${minutes === 1 ? 'a minute' : `${minutes} minutes`} late right now. Yours will be tried again for ten minutes; you don’t need to ask for another code.`,
  stopped:
    'Our mail server doesn’t answer right now. Your email will be tried again for ten minutes; you don’t need to ask for another code.',
} as const
