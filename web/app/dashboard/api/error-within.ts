/** A field's error, or else that of its first refused part, such as `lines.1` for `lines`. */
export const errorWithin = (errors: Readonly<Record<string, string>>, path: string): string | undefined =>
  errors[path] ?? Object.entries(errors).find(([refusedPath]) => refusedPath.startsWith(`${path}.`))?.[1]
