/**
 * Runs a step of installing or building, and prints its name. A terminal also shows the elapsed seconds, and
 * erases the line afterwards.
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
