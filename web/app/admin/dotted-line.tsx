import { Children, type ReactNode } from 'react'

/** Short facts in a line, separated by dots; where the line breaks, there is no dot. */
export function DottedLine({ children }: { children: ReactNode }) {
  return (
    <p className="flex flex-wrap gap-x-4 overflow-x-clip text-ink-soft">
      {Children.toArray(children).map((fact, index) => (
        // The dot stands before its fact: at the start of a line it is outside the box, which clips it.
        <span
          key={index}
          className="relative before:absolute before:end-full before:w-4 before:text-center before:content-['·'/'']"
        >
          {fact}
        </span>
      ))}
    </p>
  )
}
