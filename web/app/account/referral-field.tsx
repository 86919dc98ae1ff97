import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { referral } from '#contract/referrals.ts'
import { REGISTER } from '#web/content/register.ts'
import { call } from '#web/features/api/call.ts'
import { readReferral } from '#web/features/referral/referral.ts'
import { Field } from '#web/ui/forms/field.tsx'

/** The referral code field, prefilled with the stored code; shows the referrer's name. */
export function ReferralField({ error }: { error: string | undefined }) {
  const [code, setCode] = useState(readReferral)
  const referrer = useQuery({
    queryKey: ['referral', code],
    queryFn: async () => (await call(referral, { params: { code } })).data.username,
    enabled: code !== '',
    staleTime: Infinity,
  })
  return (
    <Field
      label={REGISTER.referralCode}
      name="referralCode"
      hint={referrer.data && REGISTER.invitedBy(referrer.data)}
      error={error}
      defaultValue={code}
      onBlur={(event) => setCode(event.target.value.trim())}
      autoComplete="off"
      spellCheck={false}
    />
  )
}
