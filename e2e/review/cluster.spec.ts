import { ownClaim } from '#contract/claims/claims.ts'
import { expectAccessible } from '../checks/axe.ts'
import { claimOf, openCard, rows } from '../steps/dashboard-steps.ts'
import type { Participant } from '../support/people.ts'
import { expect, test, type Product } from '../support/product.ts'

/** Creates two accounts of one mailbox, each with a claim, and waits until both claims are held. */
async function createAliases(product: Product): Promise<[Participant, Participant]> {
  const original = await product.newClaimant()
  const alias = await product.newClaimant({ email: original.email.replace('@', '+2@') })
  for (const person of [original, alias])
    await expect.poll(async () => (await claimOf(product, person)).status).toBe('held')
  return [original, alias]
}

test('rejects all claims of a cluster and frees its slots', async ({ page, product }) => {
  const people = await createAliases(product)
  const card = await openCard(page, product, people[0])
  await expect(card.getByRole('heading', { name: 'Cluster of 2' })).toBeVisible()
  await card.getByRole('button', { name: 'Reject all and free the slots' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reject a cluster of 2' })
  await expect(dialog.getByLabel('Reason').getByRole('option')).toHaveText([
    'One person, several accounts',
    'Done by a program',
  ])
  await expectAccessible(page, 'rejecting a cluster')
  await dialog.getByLabel('What the participant reads').fill('Two accounts of one mailbox.')
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(page.getByText('2 of 2 decided.')).toBeVisible()
  await expect(page.getByText('2 slots are free again.')).toBeVisible()
  await expect(rows(page)).toHaveCount(0)

  for (const { token } of people) {
    const claim = { status: 'rejected', rejection: { code: 'same_person' }, isAppealable: true }
    const { data } = (await product.call(ownClaim, { token })).body
    expect(data).toMatchObject({ claim, slot: null, attemptsLeft: 2 })
  }
})
