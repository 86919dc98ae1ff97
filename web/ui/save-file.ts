export function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers begin the download only later. Once it has begun, it no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

export const saveAsJson = (data: unknown, name: string) =>
  saveAs(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), `${name}.json`)
