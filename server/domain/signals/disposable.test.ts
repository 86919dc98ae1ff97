import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { DISPOSABLE_LIST_DATE, disposableDomainOf } from './disposable.ts'

test('finds listed domains and subdomains of them', async () => {
  assert.equal(await disposableDomainOf('a@mailinator.com'), 'mailinator.com')
  assert.equal(await disposableDomainOf('a@deep.inbox.mailinator.com'), 'mailinator.com')
  const others = ['a@gmail.com', 'mailinator.com@mail.example', 'a@mailinator.com.mail.example', 'a@com']
  for (const email of others) assert.equal(await disposableDomainOf(email), undefined, email)
})

test('the date of the list matches the pinned package', async () => {
  const manifest = new URL('../../../package.json', import.meta.url)
  const { dependencies } = JSON.parse(await readFile(manifest, 'utf8')) as {
    dependencies: Record<string, string>
  }
  // Change both together: the date is when that version was published.
  assert.equal(dependencies['disposable-email-domains-js'], '1.26.0')
  assert.equal(DISPOSABLE_LIST_DATE, '2026-09-21')
})
