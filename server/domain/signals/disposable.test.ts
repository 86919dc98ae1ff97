import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { test } from 'node:test'
import { DISPOSABLE_LIST_DATE, disposableDomainOf } from './disposable.ts'

test('finds listed domains and their subdomains', async () => {
  assert.equal(await disposableDomainOf('a@mailinator.com'), 'mailinator.com')
  assert.equal(await disposableDomainOf('a@deep.inbox.mailinator.com'), 'mailinator.com')
  const others = ['a@gmail.com', 'mailinator.com@mail.example', 'a@mailinator.com.mail.example', 'a@com']
  for (const email of others) assert.equal(await disposableDomainOf(email), undefined, email)
})

test('uses the list as soon as it can be loaded, even after loading has failed', async (t) => {
  // A new instance of the module, since another test may have loaded the list.
  const url = new URL('disposable.ts?unloaded', import.meta.url)
  const unloaded = (await import(url.href)) as { disposableDomainOf: typeof disposableDomainOf }
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'disposable-email-domains-js') throw new Error('cannot be loaded')
      return next(specifier, context)
    },
  })
  t.after(() => hooks.deregister())
  await assert.rejects(unloaded.disposableDomainOf('a@mailinator.com'), /cannot be loaded/)
  hooks.deregister()
  assert.equal(await unloaded.disposableDomainOf('a@mailinator.com'), 'mailinator.com')
})

test('the date of the list matches the pinned package', async () => {
  const manifest = new URL('../../../package.json', import.meta.url)
  const { dependencies } = JSON.parse(await readFile(manifest, 'utf8')) as {
    dependencies: Record<string, string>
  }
  // Change both together: the version was published on this date.
  assert.equal(dependencies['disposable-email-domains-js'], '1.26.0')
  assert.equal(DISPOSABLE_LIST_DATE, '2026-09-21')
})
