/** Why a field was refused, or else why the first refused part of it was, such as `lines.1` of `lines`. */
export const errorWithin = (errors: Readonly<Record<string, string>>, path: string): string | undefined =>
  errors[path] ?? Object.entries(errors).find(([refusedPath]) => refusedPath.startsWith(`${path}.`))?.[1]
