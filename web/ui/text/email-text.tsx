/** Breaks after the @ if the address is too long for its line. */
export function EmailText({ email }: { email: string }) {
  const domainStart = email.lastIndexOf('@') + 1
  return (
    <bdi dir="ltr">
      {email.slice(0, domainStart)}
      <wbr />
      {email.slice(domainStart)}
    </bdi>
  )
}
