import { readFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Reads a campaign file: JSON, or the default export of a TypeScript or JavaScript module.
 * @param file an absolute path.
 * @param onModule is called with the path of the campaign file and of each module that it imports, before it
 * is read. With this callback all of them are read again, even if Node has them in its module cache.
 * @throws an error with a message that completes "campaign.config.ts …" on one line.
 */
export async function readCampaignFile(file: string, onModule?: (file: string) => void): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(READ_ERRORS[error.code ?? ''] ?? `could not be read: ${error.message}`, { cause: error })
  })
  return extname(file).toLowerCase() === '.json' ? parseJson(text) : importModule(file, onModule)
}

const MISSING =
  'does not exist: copy campaign.config.ts there, or set CAMPAIGN_CONFIG to the campaign file that you mean'
const READ_ERRORS: Record<string, string> = {
  ENOENT: MISSING,
  ENOTDIR: MISSING,
  EISDIR: 'is a folder: CAMPAIGN_CONFIG has to name the campaign file in it',
  EACCES: 'cannot be read by the user that runs Dropwright: give it the right to read the file',
}

let freshImports = 0

/** Imports a module from any folder. Its imports of the contract resolve to this installation. */
async function importModule(file: string, onModule?: (file: string) => void): Promise<unknown> {
  // A new query in the URL makes Node read a module again.
  if (onModule) freshImports += 1
  const query = onModule ? `?${freshImports}` : ''
  const href = pathToFileURL(file).href + query
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      // A campaign file in another folder may name this module by any path that ends like this.
      const isContract = specifier.endsWith('/contract/campaign-file.ts')
      const name = isContract ? '#contract/campaign-file.ts' : specifier
      if (name.startsWith('#contract/')) return next(name, { ...context, parentURL: import.meta.url })
      const resolved = next(specifier, context)
      // A module that is read again has its imports read again.
      const isReadAgain =
        query !== '' && context.parentURL?.endsWith(query) && resolved.url.startsWith('file:')
      return isReadAgain ? { ...resolved, url: resolved.url + query } : resolved
    },
    load: (url, context, next) => {
      if (onModule && url.endsWith(query)) onModule(fileURLToPath(url))
      // JavaScript is read as TypeScript as well, because V8 reports no line for its syntax errors.
      return next(url, url === href ? { ...context, format: 'module-typescript' } : context)
    },
  })
  try {
    const module = (await import(href)) as { default?: unknown }
    return module.default
  } catch (error) {
    if (!(error instanceof Error)) throw new Error(`could not be read: ${String(error)}`, { cause: error })
    // A stack names the module by its URL or its path, followed by the line.
    const locations = [href, file].map((name) => (error.stack ?? '').split(`${name}:`)[1])
    const line = /^\d+/.exec(locations.find((location) => location !== undefined) ?? '')?.[0]
    throw unreadable(error.message, line, error)
  } finally {
    hooks.deregister()
  }
}

function parseJson(text: string): unknown {
  const json = text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(json)
  } catch (error) {
    // V8's messages end with “… is not valid JSON” or “… in JSON at position 9 (line 2 column 3)”.
    const { message } = error as SyntaxError
    const line = /\(line (\d+) column \d+\)$/.exec(message)?.[1] ?? lineOfMistake(json)
    throw unreadable(message.replace(/ in JSON at position .*|, .* is not valid JSON$/s, ''), line, error)
  }
}

/** For errors without a position. @returns the line of the unexpected token, or else the last line. */
function lineOfMistake(json: string): number {
  const lines = json.trimEnd().split('\n')
  const index = lines.findIndex((_, last) => {
    try {
      JSON.parse(lines.slice(0, last + 1).join('\n'))
      return false
    } catch (error) {
      return (error as SyntaxError).message.startsWith('Unexpected token')
    }
  })
  return index === -1 ? lines.length : index + 1
}

function unreadable(message: string, line: string | number | undefined, cause: unknown): Error {
  const [why] = message.split('\n')
  return new Error(`could not be read: ${line === undefined ? '' : `line ${line}: `}${why}`, { cause })
}
