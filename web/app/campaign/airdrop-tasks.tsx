import { differInPoints, grantedPoints, pointsOfTask } from '#contract/claims/granted-points.ts'
import { TASKS_DONE } from '#contract/visits.ts'
import { TASKS } from '#messages/airdrop.js'
import { POINTS } from '#messages/points.js'
import { pointsInBrief } from '#web/content/points.ts'
import { countView } from '#web/features/visits/count-view.ts'
import { formatInteger } from '#web/ui/text/format.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Stamp } from '#web/ui/stamp.tsx'
import { CAMPAIGN } from '../campaign-data.ts'
import { StepHeading } from './airdrop-steps.tsx'

const { airdrop, token, chain } = CAMPAIGN
const { tasks } = airdrop
type Task = (typeof tasks)[number]

type TasksProps = {
  /** Ids of the tasks that were opened. */
  done: readonly string[]
  onDone: (id: string) => void
  onBack: () => void
  onContinue: () => void
}

/**
 * The tasks step: a button for each of the social tasks (follow, like, retweet …). It opens the task in a new
 * tab, and the task then counts as done. Continue is enabled once all are.
 */
export function AirdropTasks({ done, onDone, onBack, onContinue }: TasksProps) {
  const isDone = (task: Task) => done.includes(task.id)
  const opened = tasks.filter(isDone)
  const isComplete = opened.length === tasks.length

  function open(task: Task) {
    const isLastUnopened = !isDone(task) && opened.length === tasks.length - 1
    window.open(task.url, '_blank', 'noopener,noreferrer')
    onDone(task.id)
    if (isLastUnopened) countView(TASKS_DONE) // a step of the funnel in Insights
  }

  return (
    <>
      <StepHeading title={TASKS.title({ tasks: tasks.length })} onBack={onBack} />
      <p className="mt-3 text-ink-soft">{TASKS.lead({ tasks: tasks.length })}</p>
      <ol className="mt-5 border-t border-hairline">
        {tasks.map((task, index) => (
          <li key={task.id} className="border-b border-hairline">
            <TaskButton task={task} position={index + 1} isDone={isDone(task)} onOpen={() => open(task)} />
          </li>
        ))}
      </ol>
      <PendingPoints opened={opened} />
      <Button className="mt-6 w-full sm:w-auto" disabled={!isComplete} onClick={onContinue}>
        {(isComplete ? TASKS.allDone : TASKS.notDone)({ tasks: tasks.length })}
      </Button>
    </>
  )
}

const hasDifferentWorths = differInPoints(airdrop)

type TaskButtonProps = { task: Task; position: number; isDone: boolean; onOpen: () => void }

function TaskButton({ task, position, isDone, onOpen }: TaskButtonProps) {
  return (
    <button
      type="button"
      data-done={isDone}
      onClick={onOpen}
      className="grid min-h-16 w-full grid-cols-[2rem_minmax(0,1fr)] items-center gap-x-3 gap-y-2 py-3.5 text-start hover:bg-paper min-[15rem]:grid-cols-[2rem_minmax(0,1fr)_auto] sm:px-3"
    >
      <span aria-hidden="true" className="figures text-lg font-bold text-ink-soft">
        {position}
      </span>
      <span className="wrap-anywhere">
        <span className="block font-semibold">{task.title}</span>
        <span className="block text-sm text-ink-soft">{task.detail}</span>
        {hasDifferentWorths && (
          <span className="mt-0.5 block text-sm font-medium">
            {pointsInBrief(pointsOfTask(task, airdrop), CAMPAIGN)}
          </span>
        )}
        {task.hashtags && <Hashtags tags={task.hashtags} />}
      </span>
      {/* The stamp always takes its space, so that the text does not move when the task is done. */}
      <span className="grid items-center justify-items-end *:[grid-area:1/1] max-[15rem]:col-start-2 max-[15rem]:justify-items-start">
        <Stamp tone="proof" className={classes('stamp-on-sheet', !isDone && 'invisible')}>
          {TASKS.done}
        </Stamp>
        {!isDone && <Icon path="M7 17L18 6M9 6h9v9" className="me-2 rtl:-scale-x-100" />}
      </span>
    </button>
  )
}

/** Each hashtag has its own direction, so that its # stays in front in Arabic. */
function Hashtags({ tags }: { tags: readonly string[] }) {
  return (
    <span className="mt-0.5 flex flex-wrap gap-x-2 figures text-sm">
      {tags.map((tag) => (
        <bdi key={tag}>{tag}</bdi>
      ))}
    </span>
  )
}

const POINTS_OF_ALL_TASKS = grantedPoints(airdrop)

function PendingPoints({ opened }: { opened: readonly Task[] }) {
  const { pfPoints, plsPoints } = grantedPoints(airdrop, opened)
  const kinds = [
    { symbol: token.symbol, points: pfPoints, total: POINTS_OF_ALL_TASKS.pfPoints },
    { symbol: chain.currency.symbol, points: plsPoints, total: POINTS_OF_ALL_TASKS.plsPoints },
  ]
  return (
    <div aria-live="polite">
      <dl className="mt-6 grid grid-cols-2 gap-4">
        {kinds
          .filter(({ total }) => total > 0)
          .map(({ symbol, points }) => (
            <div key={symbol}>
              <dt className="text-sm text-ink-soft">{POINTS.kind({ symbol })}</dt>
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
