import assert from 'node:assert/strict'
import { type CommandName, runWithEach } from '../product.ts'

/** Nobody answers there: arguments that are accepted by mistake do no harm. */
const NOWHERE = { DATABASE_URL: 'postgresql://nobody@localhost/nothing' }

/** Asserts that a command answers each of these lists of arguments with its usage, and does nothing else. */
export async function assertRefusesUsage(
  name: CommandName,
  wrong: readonly (readonly string[])[],
): Promise<void> {
  const usages = new Set<string>()
  for (const [index, { code, out, err }] of (await runWithEach(name, wrong, NOWHERE)).entries()) {
    assert.deepEqual([code, out], [1, ''], `${name} ${wrong[index]?.join(' ')}`)
    assert.match(err, new RegExp(`^Usage: npm run ${name} [^]+\n$`))
    usages.add(err)
  }
  assert.equal(usages.size, 1, [...usages].join('\n'))
}
