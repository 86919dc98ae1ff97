import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Keys derived from APP_SECRET, one for each use, so that none can stand in for another. */
export type Keys = {
  /** HMAC-SHA-256 under the key of that use. */
  hmac(use: 'code' | 'code-digest' | 'pending-salt', ...parts: (string | Buffer)[]): Buffer
}

/** @param secret at least 32 characters that stay outside the database. */
export function deriveKeys(secret: string): Keys {
  const keys = new Map<string, Buffer>()
  const keyFor = (use: string) => {
    const known = keys.get(use)
    if (known) return known
    const derived = Buffer.from(hkdfSync('sha256', secret, 'dropwright', use, 32))
    keys.set(use, derived)
    return derived
  }
  return {
    hmac(use, ...parts) {
      const hmac = createHmac('sha256', keyFor(use))
      // The length before each part keeps ("ab", "c") apart from ("a", "bc").
      for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part)
      return hmac.digest()
    },
  }
}

/** The secret of this installation: a file (mode 0600) in `dataDir`, made on the first start. */
export async function readOrMakeSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'app-secret')
  await mkdir(dataDir, { recursive: true })
  try {
    // wx: of two processes that start at once only one writes, the other reads what it wrote.
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(randomBytes(32).toString('base64url'))
    await file.sync()
    await file.close()
    await chmod(path, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFile(path, 'utf8')).trim()
}

/** A bearer of 256 random bits: 43 characters of base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored of a bearer. It has full entropy, so a plain hash is enough. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
