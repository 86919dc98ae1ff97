/** A number with its noun: `1 email`, `2 emails`. In English, for terminals and logs. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`
