import './help.css'

/** A list of keys with their actions. @param {{keys: readonly (readonly [key: string, text: string])[]}} props */
export const Keys = ({ keys }) => (
  <dl class="keys">
    {keys.map(([key, text]) => (
      <div key={key}>
        <dt>
          <kbd>{key}</kbd>
        </dt>
        <dd>{text}</dd>
      </div>
    ))}
  </dl>
)
