import { API_DOCS as API_DOCS_MESSAGES } from '#messages/dashboard-api-docs.js'
import { API_BASE } from '#contract/protocol/endpoint.ts'

/** The words of the page that documents the API; text between backticks is code. */
export const API_DOCS = {
  ...API_DOCS_MESSAGES,
  lead: `Your own programs can make every call that this site makes. JSON in and out, under \`${API_BASE}\`.`,
  challengeText: [
    'Some calls let you go beyond the rate limit by solving a challenge. Their 429 then carries a `challenge`: an ALTCHA (altcha.org) proof of work, version 2, algorithm PBKDF2/SHA-256. Solve it and repeat the call with the header `X-Challenge`: base64 of `{ "challenge", "solution": { "counter", "derivedKey" } }`. It takes a phone about a second, and up to three seconds as the network nears its proof-of-work allowance.',
    'A challenge is valid for one call of this endpoint, from this network, until `expiresAt` (ten minutes). A forged, expired or used one is answered with `429 challenge_refused` and a new challenge. A 429 without a challenge means you have to wait: the account is over its own limit, or the network has used up its allowance.',
  ],
}
