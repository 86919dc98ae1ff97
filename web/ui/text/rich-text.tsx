import { cloneElement, type ComponentProps, Fragment, type ReactElement } from 'react'
import { partsOf } from './rich-text-parts.ts'

type RichTextProps = {
  text: string
  /** The element for each tag, with the tag's words as its children. Words in other tags stay plain. */
  tags: Readonly<Record<string, ReactElement>>
}

/** A message in which some words are links, times or stressed, as in `Read the <link>rules</link>.` */
export function RichText({ text, tags }: RichTextProps) {
  return partsOf(text).map(({ tag, words }, index) => {
    const element = tag === undefined ? undefined : tags[tag]
    return <Fragment key={index}>{element ? cloneElement(element, {}, words) : words}</Fragment>
  })
}

/** A link for a tag of {@link RichText}, which adds the words. */
export const TextLink = ({ children, ...link }: ComponentProps<'a'>) => (
  <a {...link} className="text-link">
    {children}
  </a>
)
