/**
 * Runs a step before the program: its name is a line of its own for a pipe, and for a person at a terminal a line with
 * its seconds that vanishes afterwards.
 */
export async function step(name, work) {
  if (!process.stdout.isTTY) {
    console.log(name)
    return work()
  }
  const startedAt = Date.now()
  const show = () =>
    process.stdout.write(`${CLEAR}${name} … ${Math.round((Date.now() - startedAt) / 1000)} s`)
  show()
  const timer = setInterval(show, 1000)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    process.stdout.write(CLEAR)
  }
}

const CLEAR = '\r\x1b[2K'
