/** An email address that breaks after the @ if it is too long for the line. */
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
