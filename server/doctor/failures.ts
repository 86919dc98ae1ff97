/** What failed: whom the program asked, and the setting that names them. */
type Asked = { host: string; setting: string }
type Advice = (asked: Asked) => string

/**
 * Codes and messages of Node, DNS and OpenSSL that an operator cannot be expected to know. The first that occurs
 * counts.
 */
const ADVICE: readonly (readonly [RegExp, Advice])[] = [
  [
    /ENOTFOUND|ENODATA/,
    ({ host, setting }) =>
      `there is no host named ${host}. Check the spelling in ${setting}; if it is right, check that this machine can reach the internet.`,
  ],
  [
    /EAI_AGAIN|ESERVFAIL|EREFUSED|EDNS/,
    ({ host }) =>
      `the name server did not answer when asked for ${host}. Check the DNS settings and the internet connection of this machine, then try again.`,
  ],
  [
    /ECONNREFUSED/,
    ({ host, setting }) =>
      `nothing accepts connections at ${host}. Start the service there, or correct the host and port in ${setting}.`,
  ],
  [
    /ETIMEDOUT|ETIMEOUT|UND_ERR_\w*TIMEOUT|took too long|timeout/i,
    ({ host, setting }) =>
      `${host} did not answer in time. It may be down, or a firewall may be in between; otherwise correct the host and port in ${setting}.`,
  ],
  [
    /EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL/,
    ({ host }) => `this machine has no network route to ${host}. Check its internet connection and firewall.`,
  ],
  [
    /ECONNRESET|EPIPE|UND_ERR_SOCKET|ECONNECTION/,
    ({ host, setting }) =>
      `${host} closed the connection without an answer. Try again; if it stays so, correct the port and http or https in ${setting}.`,
  ],
  [
    /EACCES|EPERM/,
    ({ host }) => `this machine does not allow connections to ${host}. Check its firewall rules.`,
  ],
  [
    /CERT_HAS_EXPIRED|certificate has expired/i,
    ({ host }) => `the certificate of ${host} has expired. It has to be renewed there.`,
  ],
  [
    /CERT_NOT_YET_VALID|not yet valid/i,
    ({ host }) =>
      `the certificate of ${host} is not valid yet. Check the clock of this machine first, then the certificate.`,
  ],
  [
    /ALTNAME_INVALID|does not match certificate/i,
    ({ host, setting }) =>
      `the certificate of ${host} was issued for another name. Use the name that is in the certificate in ${setting}, or get a certificate for this one.`,
  ],
  [
    /SELF_SIGNED|self.signed/i,
    ({ host }) =>
      `the certificate of ${host} is self-signed. Use one from a public authority, or name your own authority in NODE_EXTRA_CA_CERTS.`,
  ],
  [
    /UNABLE_TO_(VERIFY|GET_ISSUER)|unable to (verify|get (local )?issuer)/i,
    ({ host }) =>
      `the certificate of ${host} comes without its intermediate certificates, or from an unknown authority. Have the server send the full chain, or name the authority in NODE_EXTRA_CA_CERTS.`,
  ],
  [
    /EPROTO|WRONG_VERSION_NUMBER|wrong version number/i,
    ({ host, setting }) =>
      `${host} does not speak TLS on this port. Correct the port, or http or https, in ${setting}.`,
  ],
]

/**
 * Says in words what the reason of a failed call means and what to do about it, with the code to search for.
 * @param reason as `HttpClient` and the mail server's client give it, or a code.
 * @returns undefined for what has no words of its own.
 */
export function explainFailure(reason: string, asked: Asked): string | undefined {
  const advice = ADVICE.find(([pattern]) => pattern.test(reason))?.[1](asked)
  const code = reason.match(/\b[A-Z][A-Z0-9_]{4,}\b/g)?.find((word) => !OF_THE_MAIL_CLIENT.has(word))
  return advice === undefined || code === undefined ? advice : `${advice} (${code})`
}

/** Codes of Nodemailer for any trouble of a kind: they say less than the advice. */
const OF_THE_MAIL_CLIENT = new Set(['ESOCKET', 'ECONNECTION', 'EDNS'])
