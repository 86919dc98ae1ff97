import { escapeHtml } from '../html.ts'

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
export const CHALLENGE_SECTION = `<section id="challenge"><h2>Over budget: a challenge</h2>
<p>Where a call says “more for a solved challenge”, the 429 of a network over its budget carries a
<code>challenge</code>: a proof of work of <a href="https://altcha.org" rel="noopener">ALTCHA</a>, version 2, algorithm PBKDF2/SHA-256. Solve it
and send the same call again with the header <code>X-Challenge</code>: base64 of
<code>{ "challenge", "solution": { "counter", "derivedKey" } }</code>. It takes a phone about a second, and up to three
when the network has bought nearly all it may.</p>
<p>A challenge is good for one passage of this call, from this network, until <code>expiresAt</code> (ten minutes). What is
forged, late or used is answered with <code>429 challenge_refused</code> and a new challenge. A 429 without a challenge means waiting:
the account is over its own budget, or the network has bought all it may.</p>
<pre><code>${escapeHtml(EXAMPLE)}</code></pre></section>`
