import { ALLOCATION } from '#messages/allocation.js'
import { allocationFacts, type ShownAllocation } from '#web/features/allocation/facts.ts'
import { Button } from '#web/ui/button.tsx'

/** The form, its result and the facts. web/features/allocation/start-check.ts makes the form work. */
export function AllocationCheck({ allocation }: { allocation: ShownAllocation }) {
  return (
    <div className="allocation-check">
      <div className="lg:col-span-7">
        <h2 className="text-xl">{ALLOCATION.heading}</h2>
        <CheckForm />
        <output data-part="result" className="mt-6 block" />
      </div>
      <section aria-labelledby="allocation-facts" className="sheet p-5 sm:p-6 lg:col-span-5">
        <h2 id="allocation-facts" className="label font-text">
          {ALLOCATION.facts}
        </h2>
        <dl className="mt-3">
          {allocationFacts(allocation).map(({ id, label, value, isHash }) => (
            <div key={id} className={isHash ? 'allocation-fact-long' : 'allocation-fact'}>
              <dt data-fact-label={id} className="text-sm text-ink-soft">
                {label}
              </dt>
              <dd
                data-fact={id}
                className={isHash ? 'figures text-xs wrap-anywhere' : 'figures text-sm font-medium'}
              >
                {value}
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  )
}

function CheckForm() {
  return (
    <form noValidate data-part="form" className="needs-script mt-4 grid gap-2">
      <label htmlFor="allocation-wallet" className="font-semibold">
        {ALLOCATION.label}
      </label>
      <div className="flex flex-col gap-3 sm:flex-row">
        <input
          id="allocation-wallet"
          data-part="input"
          name="wallet"
          placeholder="0x…"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={100}
          aria-describedby="allocation-hint allocation-fault"
          className="figures min-h-12 w-full min-w-0 rounded-sm border border-outline bg-paper px-3.5 py-2.5 text-sm text-ink placeholder:text-ink-soft hover:border-ink aria-invalid:border-accent-text"
        />
        <Button type="submit" data-part="button" className="min-h-12 shrink-0 sm:min-w-32">
          {ALLOCATION.check}
        </Button>
      </div>
      <p
        id="allocation-fault"
        data-part="fault"
        role="alert"
        className="text-sm font-semibold text-accent-text empty:hidden"
      />
      <p id="allocation-hint" className="text-sm text-ink-soft">
        {ALLOCATION.hint}
      </p>
      <div data-part="wallets" className="flex flex-wrap gap-3 empty:hidden" />
    </form>
  )
}
