import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import {
  type PicturePart,
  parsePictureReference,
  PICTURE_LIMITS,
  uploadPicture,
} from '#contract/dashboard/pictures.ts'
import { type Look, paletteOf, THEMES } from '#contract/look.ts'
import { LOOK } from '#messages/dashboard-look.js'
import { messageOf, ApiError } from '#web/features/api/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Mascot } from '#web/ui/pip.tsx'
import { CAMPAIGN } from '../../campaign-data.ts'
import { TitledSection } from '../dashboard-screen.tsx'
import { callWithFile } from '#web/features/api/call.ts'

type PictureFieldProps = {
  part: PicturePart
  look: Look
  /** The look's reference to the picture; null for the product's own. */
  reference: string | null
  error: string | undefined
  onChange: (reference: string | null) => void
}

export function PictureField({ part, look, reference, error, onChange }: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const uploading = useMutation({ mutationFn: (file: File) => upload(part, file), onSuccess: onChange })
  const { title, lead } = LOOK.pictures[part]
  const chooseLabel = reference ? LOOK.replace : LOOK.choose
  const problem = uploading.error ? messageOf(uploading.error, LOOK.uploadFailed) : error
  return (
    <TitledSection title={title}>
      <p className="mt-2 max-w-[60ch] text-ink-soft">
        {lead} {LOOK.rules}
      </p>
      <Preview part={part} look={look} reference={reference} />
      <input
        ref={input}
        type="file"
        hidden
        aria-label={title}
        accept="image/png,image/jpeg,image/webp"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) uploading.mutate(file)
          // Otherwise, no change event would follow if the same file were chosen again.
          target.value = ''
        }}
      />
      <div className="mt-4 flex flex-wrap gap-3">
        <Button variant="secondary" isPending={uploading.isPending} onClick={() => input.current?.click()}>
          {uploading.isPending ? LOOK.uploading : chooseLabel}
          <span className="sr-only"> {title}</span>
        </Button>
        {reference && (
          <Button variant="quiet" onClick={() => onChange(null)}>
            {LOOK.remove}
            <span className="sr-only"> {title}</span>
          </Button>
        )}
      </div>
      <p role="status" className="mt-3 text-sm font-semibold text-accent-text empty:hidden">
        {problem}
      </p>
    </TitledSection>
  )
}

type PreviewProps = Pick<PictureFieldProps, 'part' | 'look' | 'reference'>

/** A picture in both themes, because a dark picture may be invisible in the dark theme. */
function Preview({ part, look, reference }: PreviewProps) {
  const stored = parsePictureReference(reference)
  const isLogo = part === 'logo'
  const row = 'flex min-h-17 items-center gap-2.5 font-display text-lg font-extrabold tracking-tight'
  if (!stored)
    return (
      <div className={classes('mt-4 max-w-md', isLogo && row, isLogo && 'border-b border-hairline')}>
        {isLogo ? (
          <Mascot pose="face" className="size-8 shrink-0" />
        ) : (
          <Mascot pose="waving" className="h-40" />
        )}
        {isLogo && <span>{CAMPAIGN.token.name}</span>}
      </div>
    )
  return (
    <div className="mt-4 grid max-w-2xl grid-cols-1 gap-3 sm:grid-cols-2">
      {THEMES.map((theme) => {
        const { paper, ink } = paletteOf(look, theme)
        return (
          <div
            key={theme}
            className={`${row} rounded-md border border-hairline px-4 py-3`}
            style={{ backgroundColor: paper, color: ink }}
          >
            <img
              src={stored.webp}
              alt={LOOK.alt[part]}
              className={isLogo ? 'h-8 max-w-32 object-contain' : 'h-40 max-w-full object-contain'}
            />
            {isLogo && <span className="min-w-0 wrap-anywhere">{CAMPAIGN.token.name}</span>}
          </div>
        )
      })}
    </div>
  )
}

/** @returns the reference to store in the look. @throws ApiError */
async function upload(part: PicturePart, file: File): Promise<string> {
  if (file.size > PICTURE_LIMITS.maxBytes)
    throw new ApiError(413, { message: LOOK.tooLarge, code: 'picture_too_large' })
  const { data } = await callWithFile(uploadPicture, { params: { part } }, file)
  return data.reference
}
