import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { link, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { inDataDir, makeFolder } from './database/data-dir.ts'

/** Keys derived from APP_SECRET, one per use (domain separation). */
export type Keys = {
  /** HMAC-SHA-256 with the key for this use. */
  hmac(use: HmacUse, ...parts: (string | Buffer)[]): Buffer
  /** AES-256-GCM. @param owner the id of what the secret belongs to. `decrypt` needs the same owner. */
  encrypt(use: EncryptedUse, owner: string, text: string): Buffer
  /** @throws for another owner, another APP_SECRET, or altered bytes. */
  decrypt(use: EncryptedUse, owner: string, encrypted: Buffer): string
}

type HmacUse =
  | 'code'
  | 'code-digest'
  | 'code-share'
  | 'pending-salt'
  | 'asking-browser'
  | 'asking-network'
  | 'device'
  | 'network'
  | 'challenge'
  | 'telegram'
  | 'held-email'
  | 'unsubscribe'
  | 'recovery-code'
  | 'log'

type EncryptedUse = 'webhook-secret' | 'totp-secret'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export const MIN_SECRET_LENGTH = 32

/** @param secret APP_SECRET, which stays outside the database. */
export function deriveKeys(secret: string): Keys {
  const keys = new Map<string, Buffer>()
  const keyFor = (use: string) => {
    const cached = keys.get(use)
    if (cached) return cached
    const derived = Buffer.from(hkdfSync('sha256', secret, 'dropwright', use, 32))
    keys.set(use, derived)
    return derived
  }
  return {
    hmac(use, ...parts) {
      const hmac = createHmac('sha256', keyFor(use))
      // Length prefixes distinguish ("ab", "c") from ("a", "bc").
      for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part)
      return hmac.digest()
    },
    encrypt(use, owner, text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, keyFor(use), nonce).setAAD(Buffer.from(owner))
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    decrypt(use, owner, encrypted) {
      const nonce = encrypted.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(CIPHER, keyFor(use), nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(owner)).setAuthTag(encrypted.subarray(-TAG_BYTES))
      const start = decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES))
      return Buffer.concat([start, decipher.final()]).toString('utf8')
    },
  }
}

/** The name of the file in DATA_DIR with the secret that the program made. */
export const SECRET_FILE = 'app-secret'

/** Reads the secret from `dataDir`, or makes it (mode 0600). @throws when it is too short to be safe. */
export async function readOrMakeSecret(dataDir: string): Promise<string> {
  const secret = await inDataDir(dataDir, async () => (await readSecret(dataDir)) ?? makeSecret(dataDir))
  if (secret.length < MIN_SECRET_LENGTH)
    throw new Error(
      `${join(dataDir, SECRET_FILE)} is damaged: it holds less than ${MIN_SECRET_LENGTH} characters. ` +
        'Restore it, or remove it.',
    )
  return secret
}

/** The secret in a DATA_DIR; undefined before the first start, and if APP_SECRET has always been set. */
export async function readSecret(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(join(dataDir, SECRET_FILE), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Atomic: of several processes that start at once, all use the secret that was linked first. */
async function makeSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, SECRET_FILE)
  await makeFolder(dataDir)
  const draft = `${path}.${newToken()}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(newToken())
    await file.sync()
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await file.close()
    await unlink(draft)
  }
  return (await readFile(path, 'utf8')).trim()
}

/** A random 256-bit token: 43 characters of base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Hash under which a token is stored. Tokens have full entropy, so SHA-256 suffices. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
