import './check.css'
import { checkToken } from '#contract/token-proofs/check-token.ts'
import { createJsonRpc, forChain } from '#contract/token-proofs/rpc.ts'
import { subjectOf } from '#contract/token-proofs/subject.ts'
import { CHECK } from '#messages/check.js'
import { readAddress } from './address.ts'
import { createBrowserPost } from './browser-post.ts'
import { exchangeItem, find, showCheck, type Subject } from './show.ts'

/**
 * The script of `/check`: makes the calls with which the site checks its token, but from this browser, to the
 * node that the visitor chose. It reads only the campaign and the site's verdicts, which the page contains.
 */

const embedded = JSON.parse(find('#subject').textContent) as Subject
const nodeField = find('#node') as HTMLInputElement
const button = find('#ask')
const nodeError = find('#node-error')
const status = find('#status')
const log = find('#log')

button.addEventListener('click', () => void ask())
// A form would do this by itself, but this page is sandboxed, which forbids submitting.
nodeField.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') void ask()
})

async function ask() {
  if (button.ariaDisabled === 'true') return
  const address = readAddress(nodeField.value)
  const error = 'error' in address ? address.error : ''
  nodeError.textContent = error
  nodeField.ariaInvalid = error === '' ? null : 'true'
  if ('error' in address) return nodeField.focus()

  // Not `disabled`, which would take the focus away.
  button.ariaDisabled = 'true'
  log.replaceChildren()
  find('#log-empty').hidden = true
  status.textContent = CHECK.asking({ answers: 0 })
  const post = createBrowserPost(address.url, (exchange) => {
    log.append(exchangeItem(exchange))
    status.textContent = CHECK.asking({ answers: log.childElementCount })
  })

  try {
    const subject = subjectOf(embedded)
    const check = await checkToken(forChain(createJsonRpc(post), subject.chainId), subject)
    status.textContent = showCheck(check, embedded)
  } catch (cause) {
    console.error('The check failed', cause)
    status.textContent = CHECK.failed
  } finally {
    button.ariaDisabled = null
  }
}
