// The database exists only as long as the benchmark runs, so nothing here is secret.
module.exports = {
  auth: { secret: 'of-the-benchmark' },
  apiToken: { salt: 'of-the-benchmark' },
  transfer: { token: { salt: 'of-the-benchmark' } },
  secrets: { encryptionKey: 'of-the-benchmark-and-32-bytes-ok' },
}
