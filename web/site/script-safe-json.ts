/** JSON that cannot close the script element around it. */
export function scriptSafeJson(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
