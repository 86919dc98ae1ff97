import type { TokenProof } from '#contract/token-proofs.ts'
import { CHECK } from '#messages/check.js'
import { curlCommand, type ShownVerdict, VERDICT_STAMPS } from '#web/content/site/proofs.ts'
import { CLAIM_NAMES, PROOF_PANEL } from '#messages/proofs.js'
import { CONTRACT_NOTE } from '#messages/pages.js'
import { buttonStyle } from '#web/ui/button-style.ts'
import { formatInteger } from '#web/ui/text/format.ts'
import { Field } from '#web/ui/forms/field.tsx'
import { JsonScript } from '../linked-data.tsx'
import { shownVerdict, VerdictStamp } from '../proofs/verdict-stamp.tsx'
import type { SiteContext } from '../site-context.ts'

export function CheckPage({ context: { campaign, proofs } }: { context: SiteContext }) {
  const { token, chain } = campaign
  return (
    <>
      <div className="grid gap-x-8 gap-y-6 pt-8 lg:grid-cols-12 lg:pt-14">
        <h1 className="text-3xl lg:col-span-7">{CHECK.title}</h1>
        <div className="text-lg lg:col-span-5 lg:self-end">
          <p>{CHECK.lead({ chain: chain.name })}</p>
        </div>
      </div>
      <p className="figures mt-8 flex flex-wrap gap-x-4 border-t-2 border-ink pt-3 text-sm wrap-anywhere">
        <bdi>{token.symbol}</bdi>{' '}
        <bdi dir="ltr" className="break-all text-balance">
          {token.contract}
        </bdi>
      </p>
      {token.placeholder && <p className="mt-2 text-sm text-ink-soft">{CONTRACT_NOTE.long}</p>}
      <section aria-label={CHECK.ask} className="needs-script mt-8">
        <div className="grid items-start gap-4 lg:grid-cols-12">
          <Field
            id="node"
            label={CHECK.node}
            hint={CHECK.nodeHint({ chain: chain.name })}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            defaultValue={chain.rpcUrl}
            className="figures-input lg:col-span-8"
          />
          <button
            id="ask"
            type="button"
            className={buttonStyle('primary', 'normal', 'lg:col-span-4 lg:mt-8 lg:justify-self-start')}
          >
            {CHECK.ask}
          </button>
        </div>
        <p id="node-error" role="alert" className="mt-2 text-sm font-semibold text-accent-text" />
        <p id="status" role="status" className="mt-3 min-h-[1.5em] font-display text-lg font-extrabold" />
      </section>
      <ol id="tags" className="mt-6 grid gap-4">
        {proofs.map((proof) => (
          <CheckTag key={proof.claim} proof={proof} />
        ))}
      </ol>
      <section aria-labelledby="log-title" className="needs-script pt-14">
        <h2 id="log-title" className="text-xl">
          {CHECK.log.title}
        </h2>
        <p id="log-empty" className="mt-2 text-ink-soft">
          {CHECK.log.empty}
        </p>
        <ol id="log" className="mt-4 grid gap-2" />
      </section>
      <Commands campaign={campaign} proofs={proofs} />
      <section aria-labelledby="sandbox-title" className="max-w-[64ch] pt-14">
        <h2 id="sandbox-title" className="text-xl">
          {CHECK.sandbox.title}
        </h2>
        <p className="mt-2">{CHECK.sandbox.text}</p>
      </section>
      {(Object.keys(VERDICT_STAMPS) as ShownVerdict[]).map((verdict) => (
        <template key={verdict} id={`stamp-${verdict}`}>
          <VerdictStamp verdict={verdict} />
        </template>
      ))}
      <JsonScript
        id="subject"
        value={{
          token,
          chain,
          proofs: proofs.map(({ claim, verdict, reason }) => ({ claim, verdict, reason })),
        }}
      />
    </>
  )
}

/** A token claim with this site's verdict. `web/check/show.ts` adds what the visitor's browser finds. */
function CheckTag({ proof }: { proof: TokenProof }) {
  const { claim, asked, answer, limits, block } = proof
  return (
    <li id={claim} className="tag">
      <div className="tag-stub check-stub">
        <div className="needs-script">
          <p className="label">{CHECK.you}</p>
          <p data-stamp className="mt-1.5">
            {CHECK.notAsked}
          </p>
        </div>
        <div>
          <p className="label">{CHECK.site}</p>
          <p className="small-stamp mt-1.5">
            <VerdictStamp verdict={shownVerdict(proof)} />
          </p>
          {block !== null && (
            <p className="figures mt-1.5 text-xs text-ink-soft">
              {PROOF_PANEL.block({ number: formatInteger(block) })}
            </p>
          )}
        </div>
      </div>
      <div className="tag-body">
        <div>
          <h2 className="text-xl">{CLAIM_NAMES[claim]}</h2>
          <p className="mt-1.5 text-sm text-ink-soft">{asked}</p>
          <dl className="mt-3 grid gap-2">
            <div data-answer hidden>
              <dt className="label">{CHECK.you}</dt>
              <dd className="font-medium" />
            </div>
            <div data-site>
              <dt className="label">{CHECK.site}</dt>
              <dd>{answer}</dd>
            </div>
          </dl>
          <p data-compare className="mt-2 text-sm font-semibold" />
        </div>
        <div className="text-sm">
          <p className="label">{PROOF_PANEL.limits}</p>
          <p data-limits>{limits}</p>
        </div>
        <details data-calls hidden className="col-span-full -my-2 text-sm">
          <summary className="tag-summary">
            {CHECK.calls}
            <span className="sr-only">: {CLAIM_NAMES[claim]}</span>
          </summary>
          <ol className="grid gap-2" />
        </details>
      </div>
    </li>
  )
}

/** The site's calls as commands: the only way to check without JavaScript. */
function Commands({ campaign, proofs }: Pick<SiteContext, 'campaign' | 'proofs'>) {
  const checked = proofs.filter(({ calls }) => calls.length > 0)
  if (campaign.token.placeholder) return null
  return (
    <section aria-labelledby="commands-title" className="pt-14">
      <h2 id="commands-title" className="text-xl">
        {CHECK.commands.title}
      </h2>
      <p className="mt-2 max-w-[64ch]">{CHECK.commands.text}</p>
      {checked.length === 0 && <p className="mt-2">{CHECK.commands.none}</p>}
      <ul className="mt-4 grid gap-2">
        {checked.map(({ claim, calls }) => (
          <li key={claim}>
            <details>
              <summary className="tag-summary">{CLAIM_NAMES[claim]}</summary>
              <pre className="command">{curlCommand(campaign.chain.rpcUrl, calls)}</pre>
            </details>
          </li>
        ))}
      </ul>
    </section>
  )
}
