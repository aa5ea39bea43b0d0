import { SPEEDS } from '../model/replay/play-head.js'
import { figureText, positionText } from '../model/replay/replay-texts.js'
import { Button } from '../parts/controls/button.jsx'
import { Choices, option } from '../parts/controls/form-fields.jsx'
import { Icon } from '../parts/controls/more-icons.jsx'
import { StageTool } from '../stage/stage-tool.jsx'
import { t } from '../words/translate.js'
import './transport.css'

/** @import { Axis } from '../model/replay/timeline.js' */
/** @import { Head } from '../model/replay/play-head.js' */

/**
 * @typedef {object} Controls the controls of the play head
 * @property {() => void} toggle @property {(position: number) => void} moveTo
 * @property {(by: 1 | -1) => void} step one entry
 * @property {(by: 1 | -1) => void} jump to the next event
 * @property {(by: 1 | -1) => void} seek a little further
 * @property {(speed: number) => void} setSpeed @property {(along: 'time' | 'stock') => void} setAlong
 */

/** @param {{head: Head, axis: Axis, controls: Controls, children?: any}} props */
export function Transport({ head, axis, controls, children }) {
  const { along, position, playing, speed } = head
  return (
    <div class="transport" role="group" aria-label={t('watch.transport.name')}>
      <span class="transport-place" translate={false}>
        <b>{positionText(along, position)}</b>
        <span class="transport-of"> / {figureText(along, axis.length)}</span>
      </span>
      <input
        class="scrub"
        type="range"
        aria-label={t(`watch.transport.${along}`)}
        aria-valuetext={positionText(along, position)}
        min="0"
        max={axis.length}
        step="any"
        value={position}
        style={{ '--done': axis.length ? position / axis.length : 0 }}
        onInput={(event) => controls.moveTo(event.currentTarget.valueAsNumber)}
        onKeyDown={(event) => {
          if (event.key !== ' ') return
          event.preventDefault()
          controls.toggle()
        }}
      />
      <span class="transport-tools">
        <StageTool icon="backward" label={t('watch.transport.eventBefore')} hotkey="[" onClick={() => controls.jump(-1)} />
        <StageTool
          icon="stepback"
          label={t('watch.transport.moveBack')}
          hotkey={t('watch.key.comma')}
          onClick={() => controls.step(-1)}
        />
        <Button
          kind="felt play"
          label={t(playing ? 'watch.transport.pause' : 'watch.transport.play')}
          title={t('more.key.space')}
          onClick={controls.toggle}
        >
          <Icon name={playing ? 'pause' : 'play'} />
        </Button>
        <StageTool
          icon="stepon"
          label={t('watch.transport.moveOn')}
          hotkey={t('watch.key.period')}
          onClick={() => controls.step(1)}
        />
        <StageTool icon="forward" label={t('watch.transport.eventNext')} hotkey="]" onClick={() => controls.jump(1)} />
      </span>
      <span class="transport-more">
        <Choices
          class="felt-select"
          aria-label={t('watch.transport.speed')}
          value={speed}
          options={SPEEDS.map((one) => option(one, `${one === 0.5 ? '½' : one}×`))}
          onPick={controls.setSpeed}
        />
        <Choices
          class="felt-select"
          aria-label={t('watch.transport.align')}
          value={along}
          options={[option('time', t('watch.transport.byTime')), option('stock', t('watch.transport.byStock'))]}
          onPick={controls.setAlong}
        />
        {children}
      </span>
    </div>
  )
}
