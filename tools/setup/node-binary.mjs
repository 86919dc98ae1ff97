import { existsSync } from 'node:fs'
import path from 'node:path'

/** The oldest supported Node: the first with argon2. */
const MAJOR = 24
const MINOR = 7

/**
 * The Node that runs the product: the current one if it is new enough, else the one that npm installed.
 * @throws if there is none for this platform.
 */
export function nodeBinary(root) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > MAJOR || (major === MAJOR && minor >= MINOR)) return process.execPath
  const platform = `${process.platform}-${process.arch}`
  const installed = path.join(root, 'node_modules', `node-${platform}`, 'bin', 'node')
  if (existsSync(installed)) return installed
  throw new Error(
    `Dropwright needs Node ${MAJOR}.${MINOR} or newer; this is ${process.versions.node}, and npm has none for ${platform}. ` +
      `Please install Node ${MAJOR} from https://nodejs.org`,
  )
}
