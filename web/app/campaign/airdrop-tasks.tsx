import { TASKS } from '#web/content/airdrop.ts'
import { pointsIn } from '#web/content/shared.ts'
import { formatInteger } from '#web/ui/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Stamp } from '#web/ui/stamp.tsx'
import { CAMPAIGN } from '../campaign-data.ts'
import { StepHeading } from './ticket.tsx'

const { tasks, pointsPerTask } = CAMPAIGN.airdrop
type Task = (typeof tasks)[number]

type TasksProps = {
  /** Ids of the opened tasks. */
  done: readonly string[]
  onDone: (id: string) => void
  onBack: () => void
  onContinue: () => void
}

export function AirdropTasks({ done, onDone, onBack, onContinue }: TasksProps) {
  const isDone = (task: Task) => done.includes(task.id)
  const count = tasks.filter(isDone).length
  const isComplete = count === tasks.length

  function open(task: Task) {
    window.open(task.url, '_blank', 'noopener,noreferrer')
    onDone(task.id)
  }

  return (
    <>
      <StepHeading title={TASKS.title(tasks.length)} onBack={onBack} />
      <p className="mt-3 text-ink-soft">{TASKS.lead}</p>
      <ol className="mt-5 border-t border-hairline">
        {tasks.map((task, position) => (
          <li key={task.id} className="border-b border-hairline">
            <TaskButton task={task} position={position + 1} done={isDone(task)} onOpen={() => open(task)} />
          </li>
        ))}
      </ol>
      <PendingPoints points={count * pointsPerTask} />
      <Button className="mt-6 w-full sm:w-auto" disabled={!isComplete} onClick={onContinue}>
        {isComplete ? TASKS.allDone : TASKS.notDone}
      </Button>
    </>
  )
}

type TaskButtonProps = { task: Task; position: number; done: boolean; onOpen: () => void }

function TaskButton({ task, position, done, onOpen }: TaskButtonProps) {
  return (
    <button
      type="button"
      data-done={done}
      onClick={onOpen}
      className="grid min-h-16 w-full grid-cols-[2rem_minmax(0,1fr)_auto] items-center gap-x-3 py-3.5 text-start hover:bg-paper sm:px-3"
    >
      <span aria-hidden="true" className="figures text-lg font-bold text-ink-soft">
        {position}
      </span>
      <span>
        <span className="block font-semibold">{task.title}</span>
        <span className="block text-sm text-ink-soft">{task.detail}</span>
        {task.hashtags && <span className="mt-0.5 block figures text-sm">{task.hashtags.join(' ')}</span>}
      </span>
      {done ? (
        <Stamp tone="proof" className="stamp-on-sheet">
          {TASKS.done}
        </Stamp>
      ) : (
        <OpensOutside />
      )}
    </button>
  )
}

const OpensOutside = () => (
  <Icon className="me-2 rtl:-scale-x-100">
    <path d="M7 17L18 6M9 6h9v9" />
  </Icon>
)

function PendingPoints({ points }: { points: number }) {
  return (
    <div aria-live="polite">
      <dl className="mt-6 grid grid-cols-2 gap-4">
        {[CAMPAIGN.token, CAMPAIGN.chain.currency].map(({ symbol }) => (
          <div key={symbol}>
            <dt className="text-sm text-ink-soft">{pointsIn(symbol)}</dt>
            <dd className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="figures text-xl font-bold">{formatInteger(points)}</span>
              <span className="label">{TASKS.pending}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-sm text-ink-soft">{TASKS.pendingHint}</p>
    </div>
  )
}
