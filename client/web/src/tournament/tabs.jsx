/** The shown tab is within view, even of many. @param {HTMLLabelElement | null} tab */
function inView(tab) {
  if (tab?.parentElement) tab.parentElement.scrollLeft = tab.offsetLeft + tab.offsetWidth - tab.parentElement.clientWidth / 2
}

/**
 * A choice of what a card shows, if there are several.
 * @template {string | number} T @param {{name: string, tabs: [T, label: string][], shown: T, onPick: (tab: T) => void}} props
 */
export const Tabs = ({ name, tabs, shown, onPick }) =>
  tabs.length > 1 && (
    <div class={`segments ${name}-tabs`}>
      {tabs.map(([one, label]) => (
        <label key={one} ref={one === shown ? inView : null}>
          <input type="radio" name={name} checked={one === shown} onChange={() => onPick(one)} />
          <span>
            <span class="heard">{label}</span>
            <span aria-hidden="true">{one}</span>
          </span>
        </label>
      ))}
    </div>
  )
