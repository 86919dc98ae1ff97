import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOwner } from './wallet-owner.ts'
import { sentenceOf } from './words.ts'

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

test('confirms the proven wallet, and contradicts only one that another participant has proven', () => {
  const judge = (proven: string | null, isOfOther = false, kind = 'account') => {
    const claim = { wallet: WALLET, proven_wallet: proven, is_proven_by_other: isOfOther }
    const { outcome, found, check } = checkOwner({ ...claim, proven_kind: proven && kind })
    assert.equal(check, 'wallet-owned')
    return `${outcome}: ${sentenceOf(found)}`
  }
  assert.equal(judge(WALLET), 'confirmed: The participant signed with this wallet.')
  assert.match(judge(WALLET, false, 'contract'), /^confirmed: .* a contract that accepted the signature\./)
  assert.match(judge(WALLET.toLowerCase()), /^confirmed/)
  assert.match(judge(null), /^could_not_tell: .* Signing is optional\./)
  assert.equal(
    judge(OTHER),
    `could_not_tell: The participant has proven another wallet, ${OTHER}, but not this one.`,
  )
  for (const own of [null, OTHER])
    assert.equal(judge(own, true), 'contradicted: Another participant has proven that this wallet is theirs.')
})
