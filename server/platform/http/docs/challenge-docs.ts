import { escapeHtml } from '#server/platform/html.ts'

/** A test extracts this from the page and runs it. */
const EXAMPLE = `import { pbkdf2Sync } from 'node:crypto'

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

/** How to continue with proof of work beyond a rate limit. */
export const CHALLENGE_SECTION = `<section id="challenge"><h2>Beyond the rate limit: a challenge</h2>
<p>Where a call says “more for a solved challenge”, the 429 of a network over its rate limit carries a
<code>challenge</code>: a proof of work of <a href="https://altcha.org" rel="noopener">ALTCHA</a>, version 2, algorithm PBKDF2/SHA-256. Solve it
and repeat the call with the header <code>X-Challenge</code>: base64 of
<code>{ "challenge", "solution": { "counter", "derivedKey" } }</code>. It takes a phone about a second, and up to three
seconds as the network nears its proof-of-work allowance.</p>
<p>A challenge is valid for one call of this endpoint, from this network, until <code>expiresAt</code> (ten minutes). A forged,
expired or used one is answered with <code>429 challenge_refused</code> and a new challenge. A 429 without a challenge means waiting:
the account is over its own limit, or the network has used up its allowance.</p>
<pre><code>${escapeHtml(EXAMPLE)}</code></pre></section>`
