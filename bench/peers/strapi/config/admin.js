// Not secret: the database exists only during the benchmark.
module.exports = {
  auth: { secret: 'of-the-benchmark' },
  apiToken: { salt: 'of-the-benchmark' },
  transfer: { token: { salt: 'of-the-benchmark' } },
  secrets: { encryptionKey: 'of-the-benchmark-and-32-bytes-ok' },
}
