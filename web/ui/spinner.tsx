/** A loading indicator; under reduced motion it stands still and the text remains. */
export function Spinner({ label }: { label: string }) {
  return (
    <span role="status" className="inline-flex items-center gap-3 text-ink-soft">
      <span
        aria-hidden="true"
        className="size-6 rounded-full border-2 border-hairline border-t-signal turning"
      />
      {label}
    </span>
  )
}
