import Fastify, { type FastifyInstance } from 'fastify'
import campaign from '#campaign'
import { registerSite } from '#server/site/register-site.ts'
import { type Route, ROUTES } from '#web/routes.ts'
import type { Report, Row } from './report.ts'

/** Bytes that cross the wire for each page and screen, as the built site serves them to a browser that takes brotli. */
export async function pages(): Promise<Report> {
  const app = Fastify()
  await registerSite(app, { campaign, publicUrl: 'http://localhost:3000', dev: false })
  const rows: Row[] = []
  for (const route of Object.values(ROUTES)) rows.push(await weigh(app, route))
  await app.close()
  return {
    title: 'Bytes of each page, brotli',
    rows,
    notes: [
      'At once: what the page names, and what that imports. Later, at most: what can still be asked for from there;',
      'a page hydrates its islands when it is idle, a screen of the application loads itself alone.',
    ],
  }
}

async function weigh(app: FastifyInstance, { path, kind }: Route): Promise<Row> {
  const html = await load(app, path)
  const named = [...html.text.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|woff2))"/g)].flatMap(
    ([, url]) => url ?? [],
  )
  const scripts = named.filter((url) => url.endsWith('.js'))
  const atOnce = await closure(app, scripts, STATIC_IMPORT)
  const all = await closure(app, scripts, ANY_IMPORT)
  const sizeOf = async (urls: Iterable<string>) => {
    const loaded = await Promise.all([...new Set(urls)].map((url) => load(app, url)))
    return loaded.reduce((sum, { bytes }) => sum + bytes, 0)
  }
  const [styles, fonts, script, everything] = await Promise.all([
    sizeOf(named.filter((url) => url.endsWith('.css'))),
    sizeOf(named.filter((url) => url.endsWith('.woff2'))),
    sizeOf(atOnce),
    sizeOf(all),
  ])
  return {
    path,
    kind,
    html: html.bytes,
    styles,
    fonts,
    'script at once': script,
    'later, at most': everything - script,
    'at once, all': html.bytes + styles + fonts + script,
  }
}

const STATIC_IMPORT = /(?:from|import)\s*["'](\.\/[^"']+\.js)["']/g
const ANY_IMPORT = /(?:from|import)\s*\(?\s*["'`](\.\/[^"'`]+\.js)["'`]/g

/** The scripts and everything that they reach by imports of that form. */
async function closure(app: FastifyInstance, scripts: readonly string[], form: RegExp): Promise<Set<string>> {
  const found = new Set(scripts)
  // A set that is added to while it is walked is walked to its end.
  for (const url of found) {
    const { text } = await load(app, url)
    for (const [, file] of text.matchAll(form)) {
      if (file) found.add(new URL(file, `http://site${url}`).pathname)
    }
  }
  return found
}

async function load(app: FastifyInstance, url: string): Promise<{ bytes: number; text: string }> {
  const packed = await app.inject({ url, headers: { 'accept-encoding': 'br' } })
  if (packed.statusCode !== 200) throw new Error(`${url} answered ${packed.statusCode}`)
  const plain = await app.inject({ url, headers: { 'accept-encoding': 'identity' } })
  return { bytes: packed.rawPayload.length, text: plain.body }
}
