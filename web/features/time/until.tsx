import { formatDateTime } from './ago.tsx'

/** Date and time in the reader's time zone. @param props.at An ISO time. */
export function Until({ at }: { at: string }) {
  return (
    <time dateTime={at} className="font-semibold whitespace-nowrap">
      {formatDateTime(at)}
    </time>
  )
}
