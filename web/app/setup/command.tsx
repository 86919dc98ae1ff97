import { Copy } from '../admin/copy.tsx'

/** A command to run on the server. */
export function Command({ text }: { text: string }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <code className="min-w-0 rounded-sm border border-hairline bg-paper px-3 py-2 text-sm break-words">
        {text}
      </code>
      <Copy text={text} of={text} />
    </div>
  )
}
