export const OPENAPI_PATH = '/api/openapi.json'

/** Solves challenges in Node. A test runs it. */
export const CHALLENGE_EXAMPLE = `import { pbkdf2Sync } from 'node:crypto'

export async function call(url, init) {
  const answer = await fetch(url, init)
  const { challenge } = await answer.clone().json()
  if (!challenge) return answer
  const headers = { ...init.headers, 'X-Challenge': solve(challenge) }
  return fetch(url, { ...init, headers })
}

function solve(challenge) {
  const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters
  const password = Buffer.from(nonce + '00000000', 'hex')
  for (let counter = 0; ; counter += 1) {
    password.writeUInt32BE(counter, password.length - 4)
    const key = pbkdf2Sync(password, Buffer.from(salt, 'hex'), cost, keyLength, 'sha256')
    const solution = { counter, derivedKey: key.toString('hex') }
    if (solution.derivedKey.startsWith(keyPrefix)) return btoa(JSON.stringify({ challenge, solution }))
  }
}`
