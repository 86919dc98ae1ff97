/** JSON that cannot end the script element it stands in. */
export function scriptSafeJson(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
