# Seven steps of a migration, 20 resources each; every resource waits for all of the step before.
$steps = Integer[0, 6]
$steps.each |$step| {
  Integer[0, 19].each |$number| {
    notify { "step ${step} part ${number}":
      tag => "step${step}",
    }
  }
}

Notify <| tag == 'step0' |> -> Notify <| tag == 'step1' |> -> Notify <| tag == 'step2' |>
-> Notify <| tag == 'step3' |> -> Notify <| tag == 'step4' |> -> Notify <| tag == 'step5' |>
-> Notify <| tag == 'step6' |>

# One edge back: 20^5 ways round.
Notify['step 6 part 3'] -> Notify['step 0 part 3']
