import { editClaim, ownClaim } from '#contract/claims/claims.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { expectAccessibleAndFits } from '../checks/fit.ts'
import { submitProof } from '../steps/airdrop-steps.ts'
import { newProof } from '../support/people.ts'
import { expect, test } from '../support/product.ts'

test.use({ hasTouch: true })

test('an edit that began before the claim was edited on another device overwrites none of its fields unseen', async ({
  page,
  product,
}) => {
  const claimant = await product.newClaimant()
  const { token, proof: begun } = claimant
  const readSaved = async () => (await product.callOrFail(ownClaim, { token })).data.claim
  const params = { taskId: (await readSaved())?._id ?? '' }
  const [here, there] = [newProof(), newProof()]
  const editThere = (changes: Partial<Proof>) =>
    product.callOrFail(editClaim, { token, params, body: { ...begun, ...changes } })
  const telegram = page.getByLabel('Telegram')
  const refused = page.getByText('Your claim was edited elsewhere after you opened this form.')

  await test.step('the first submission is refused', async () => {
    await product.openAs(page, claimant, '/airdrop?step=proof')
    await telegram.fill(here.telegram)
    await editThere({ wallet: there.wallet, telegram: there.telegram })
    await submitProof(page)
    await expect(refused).toBeVisible()
  })

  await test.step('what was typed stays; fields that were not changed here take what was saved', async () => {
    await expect(telegram).toHaveValue(here.telegram)
    await expect(telegram).toBeFocused()
    await expect(telegram).toHaveAccessibleDescription(`Saved elsewhere: ${there.telegram.slice(1)}`)
    await expect(page.getByLabel('Wallet Address')).toHaveValue(new RegExp(there.wallet, 'i'))
    await expect(page.getByText('Saved elsewhere:')).toHaveCount(1)
    await expectAccessibleAndFits(page, 'edited elsewhere')
  })

  await test.step('the draft of an edit that began earlier is compared as well', async () => {
    await editThere({ wallet: there.wallet, twitter: there.twitter, retweetLink: there.retweetLink })
    await page.reload()
    await expect(telegram).toHaveValue(here.telegram)
    await expect(telegram).toHaveAccessibleDescription(`Saved elsewhere: ${begun.telegram.slice(1)}`)
    await expect(page.getByLabel('Twitter')).toHaveValue(there.twitter.slice(1))
  })

  await test.step('the next submission replaces what was saved', async () => {
    await submitProof(page)
    await expect(page).toHaveURL('/profile')
    const saved = await readSaved()
    expect(saved).toMatchObject({ telegram: here.telegram.slice(1), twitter: there.twitter.slice(1) })
    expect(saved?.wallet.toLowerCase()).toBe(there.wallet.toLowerCase())
  })
})
