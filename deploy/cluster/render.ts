import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

const TEMPLATES = path.join(import.meta.dirname, 'templates')

/** A template with its values. @throws if one is missing. */
export async function render(template: string, values: Record<string, string | number>): Promise<string> {
  const text = await readFile(path.join(TEMPLATES, template), 'utf8')
  return text.replace(/\$\{(\w+)\}/g, (_all, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${template} needs a value for ${name}.`)
    return String(value)
  })
}

/** Configuration files hold passwords: only their owner may read them. */
export async function renderTo(
  file: string,
  template: string,
  values: Record<string, string | number>,
): Promise<void> {
  await writeFile(file, await render(template, values), { mode: 0o600 })
}
