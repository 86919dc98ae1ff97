import { exactly } from './ago.tsx'

/** Until when something is so, by the reader's own clock. @param props.at An ISO time. */
export function Until({ at }: { at: string }) {
  return (
    <time dateTime={at} className="font-semibold whitespace-nowrap">
      {exactly(at)}
    </time>
  )
}
