module.exports = {
  host: '127.0.0.1',
  port: 0,
  app: { keys: ['a-key-of-the-benchmark', 'another-key-of-the-benchmark'] },
  logger: { startup: { enabled: false }, updates: { enabled: false } },
}
