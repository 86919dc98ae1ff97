import { changeRole } from '#contract/dashboard/person.ts'
import { expect, test } from '../support/product.ts'

test('an offer to become an administrator is above all other sections of the profile', async ({
  page,
  product,
}) => {
  const ann = await product.newParticipant()
  const { token } = await product.admin()
  const params = { userId: ann.user._id }
  await product.callOrFail(changeRole, { token, params, body: { role: 'admin' } })
  await product.openAs(page, ann, '/profile')
  await expect(page.getByRole('heading', { name: 'Where you are logged in' })).toBeVisible()
  const offer = page.getByRole('heading', { name: 'You’ve been invited to become an administrator' })
  await expect(offer).toBeVisible()
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toHaveText(
    'You’ve been invited to become an administrator',
  )
})
