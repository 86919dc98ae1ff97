import { API_BASE } from '#contract/protocol/endpoint.ts'

export const OPENAPI_PATH = '/api/openapi.json'

/** The words of the page that documents the API; text between backticks is code. */
export const API_DOCS = {
  title: 'API',
  lead: `Your own programs can make every call that this site makes. JSON in and out, under \`${API_BASE}\`.`,
  document: 'The OpenAPI 3.1 document as JSON',
  calls: 'Calls',
  access: 'Logging in',
  accessText:
    'Calls that are not public need a login token in `Authorization: Bearer …`. A login that carries `Origin` or `Sec-Fetch-Site`, as browsers send them, also sets a cookie, and its token is valid only together with that cookie.',
  refusals: 'Errors',
  refusalsText:
    'Every error is `{ "message", "code", "fields"?, "requestId"?, "challenge"? }`; 429 and 503 carry `Retry-After` in seconds. Unknown fields are refused.',
  challenge: 'Beyond the rate limit',
  challengeText: [
    'Some calls let you go beyond the rate limit by solving a challenge. Their 429 then carries a `challenge`: an ALTCHA (altcha.org) proof of work, version 2, algorithm PBKDF2/SHA-256. Solve it and repeat the call with the header `X-Challenge`: base64 of `{ "challenge", "solution": { "counter", "derivedKey" } }`. It takes a phone about a second, and up to three seconds as the network nears its proof-of-work allowance.',
    'A challenge is valid for one call of this endpoint, from this network, until `expiresAt` (ten minutes). A forged, expired or used one is answered with `429 challenge_refused` and a new challenge. A 429 without a challenge means you have to wait: the account is over its own limit, or the network has used up its allowance.',
  ],
}

/** Solves challenges in Node; a test runs it. */
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
